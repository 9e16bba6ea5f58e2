/// The cases of the token endpoint.
package enum TokenCases {
    /// All of them.
    package static let all: [ServerCase] = [
        authentication, schemes, malformedHeaders, brought, challenges, failures, repetitions, parameters,
        unusableGrantTypes,
        malformedBodies, harmlessBodies, sizes, formTypes, otherTypes, contentTypes, otherMethods, otherPaths,
        queries, scopes, malformedScopes, largeScopes, grants, answers,
    ].flatMap { $0 }

    static let book = ["RESOURCE_ID_BOOK"]
    static let review = ["RESOURCE_ID_REVIEW"]
    static let both = book + review
}
