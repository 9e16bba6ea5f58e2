"""What must hold, as data: what a figure is compared with, and in which direction."""

AIMS = {
    "token.redis.cpu": ("token with Redis, CPU / (engine + plain signature)", "<=", 1.10),
    "token.redis.rate": ("token with Redis, tokens a second / limit's (32,000 where it reads 36,000)", ">=", 0.89),
    "token.redis.p99": ("token with Redis, p99 / limit's p99", "<=", 3),
    "token.sqlite.cpu": ("token with SQLite FULL, CPU / (engine + plain signature)", "<=", 1.4),
    "token.sqlite.rate": ("token with SQLite FULL, tokens a second where a flush takes 0.3 ms", ">=", 10_000),
    "token.brought.cpu": ("secret brought by an admin, CPU / generated secret", "<=", 1.05),
    "guard.ES256": ("uncached ES256 / bare OpenSSL verify", ">=", 0.92),
    "guard.EdDSA": ("uncached EdDSA / bare OpenSSL verify", ">=", 0.92),
    "guard.RS256": ("uncached RS256 / bare OpenSSL verify", ">=", 0.92),
    "guard.cached": ("cached verifications a second, one core", ">=", 1_500_000),
    "guard.redis": ("Redis checks a second, 64 concurrent, one core", ">=", 150_000),
    "introspect.rate": ("introspections with Redis a second, one core", ">=", 40_000),
    "scale.lookup": ("lookup of a hundred clients with 1,000,000 / with 100 in the registry", "<=", 1.3),
    "scale.lookup-any": ("lookup of any client, with 1,000,000 / with 100, read from the file", "<=", 1.3),
    "scale.token": ("token, any of 1,000,000 clients / of 100", "<=", 1.3),
    "scale.redis-bytes": ("Redis memory a live token, bytes", "<=", 160),
    "scale.rotation": ("requests that fail while keys are rotated", "<=", 0),
    "cold.first-token": ("exec to first token, ms", "<=", 60),
    "cold.idle": ("resident memory idle, MB", "<=", 25),
    "cold.loaded": ("resident memory under load, MB", "<=", 50),
}


def judge(key, value):
    """A figure beside its aim."""
    title, direction, bound = AIMS[key]
    met = value <= bound if direction == "<=" else value >= bound
    return {"key": key, "aim": title, "bound": f"{direction} {bound:,}", "value": value, "met": met}
