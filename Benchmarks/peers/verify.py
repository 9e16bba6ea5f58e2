"""Verifies tokens again and again with PyJWT or joserfc, as their manuals say; prints what it took.

usage: verify.py pyjwt|joserfc ALGORITHM JWKS_FILE TOKENS_FILE MILLISECONDS
"""
import json
import sys
import time

library, algorithm, keys_path, tokens_path, milliseconds = sys.argv[1:]
ISSUER, RESOURCE = "http://127.0.0.1:8083", "RESOURCE_ID_BOOK"
with open(keys_path) as file:
    key_data = next(key for key in json.load(file)["keys"] if key["alg"] == algorithm)
with open(tokens_path) as file:
    tokens = file.read().split()

if library == "pyjwt":
    import jwt

    key = jwt.PyJWK(key_data)

    def verify(token):
        claims = jwt.decode(token, key, algorithms=[algorithm], audience=RESOURCE, issuer=ISSUER)
        return "read" in claims["scope"].split()
else:
    import warnings
    from joserfc import jwk, jwt

    # That EdDSA is to be called Ed25519 (RFC 9864).
    warnings.simplefilter("ignore")
    key = jwk.import_key(key_data)
    registry = jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": ISSUER}, aud={"essential": True, "value": RESOURCE}, exp={"essential": True})

    def verify(token):
        claims = jwt.decode(token, key, algorithms=[algorithm]).claims
        registry.validate(claims)
        return "read" in claims["scope"].split()

assert all(verify(token) for token in tokens[:20])
count, end = 0, time.monotonic() + int(milliseconds) / 1000
began, processor = time.monotonic_ns(), time.process_time_ns()
while time.monotonic() < end:
    for token in tokens[:20]:
        verify(token)
    count += 20
print(json.dumps({
    "name": f"{library} {algorithm}", "count": count, "cpu_ns": time.process_time_ns() - processor,
    "wall_ns": time.monotonic_ns() - began}))
