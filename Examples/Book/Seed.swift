/// What a new catalog holds.
let seed = [
    Book(id: 1, title: "Moby-Dick", description: "A captain hunts the whale that took his leg."),
    Book(id: 2, title: "Pride and Prejudice", description: "Two people think better of each other, slowly."),
    Book(id: 3, title: "Frankenstein", description: "A student makes a man and will not own to it."),
    Book(id: 4, title: "Middlemarch", description: "A provincial town, its marriages and its debts."),
    Book(id: 5, title: "The Time Machine", description: "An inventor visits the year 802,701 and beyond."),
    Book(id: 6, title: "Jane Eyre", description: "A governess in a house that has a secret."),
    Book(id: 7, title: "Walden", description: "Two years in a cabin beside a pond, and what they cost."),
    Book(id: 8, title: "Dracula", description: "A count buys an estate in England; letters tell the rest."),
    Book(id: 9, title: "Emma", description: "A matchmaker is wrong about everyone, herself included."),
    Book(id: 10, title: "Kim", description: "A boy and a lama walk the Grand Trunk Road."),
]
