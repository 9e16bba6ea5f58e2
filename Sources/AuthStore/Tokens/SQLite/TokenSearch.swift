/// How a token is found of which only the `jti` is known: the table is in the order of `exp`.
enum TokenSearch {
    /// A condition on `tokens` with a placeholder for the `jti`: one step for each second in which tokens end, of
    /// which there are as many as the longest lifetime has, however many tokens there are.
    static let byID = """
        jti = ? AND expires_at IN (
            WITH RECURSIVE ends (second) AS (
                SELECT min(expires_at) FROM tokens
                UNION ALL
                SELECT (SELECT min(expires_at) FROM tokens WHERE expires_at > second) FROM ends
                WHERE second IS NOT NULL)
            SELECT second FROM ends WHERE second IS NOT NULL)
        """
}
