/// What a new database holds: what ten readers say of each of ten books.
let seed = (1...10).flatMap { book in
    opinions.indices.map { reader in
        Review(
            id: Int64((book - 1) * 10 + reader + 1), bookId: Int64(book),
            reviewText: opinions[(reader + book) % opinions.count])
    }
}

private let opinions = [
    "I read it in one night and was late for work.",
    "Better the second time.",
    "The beginning asks for patience and repays it.",
    "I did not want it to end.",
    "Too long by a third, and I would not cut a page.",
    "My mother gave it to me; I gave it to my son.",
    "Everyone told me how it ends. It did not matter.",
    "The minor characters steal it.",
    "I still think of the last sentence.",
    "Not for me, but I see why others love it.",
]
