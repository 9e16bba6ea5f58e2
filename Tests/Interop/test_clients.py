"""Clients and verifiers written by others, against the real process.

PyJWT, Authlib, joserfc, cryptography and curl know nothing of this server but its issuer, a client and its
secret: what they take for a good token is one.
"""

import base64
import json
import subprocess
import time
import unittest

import jwt
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet
from prometheus_client.parser import text_string_to_metric_families

from server import Server

ALGORITHMS = ["ES256", "EdDSA", "RS256", "PS256"]
BOOK = "RESOURCE_ID_BOOK"
REVIEW = "RESOURCE_ID_REVIEW"
# One that a person chose, with characters that form-encoding changes (RFC 6749 section 2.3.1).
CHOSEN_SECRET = "p+%:&= \u00fc and more of it"

server = None
secrets = {}


def setUpModule():
    global server
    server = Server()
    for resource in [BOOK, REVIEW]:
        server.command("resource", "add", resource, "--scopes", "read,write")
    secrets["gateway"] = server.command(
        "client", "add", "gateway", "--grant", f"{BOOK}=read", "--grant", f"{REVIEW}=read,write")


def tearDownModule():
    status = server.stop()
    assert status == 0, f"authserver ended with {status}"


def metadata():
    """RFC 8414, as a client reads it."""
    return requests.get(f"{server.issuer}/.well-known/oauth-authorization-server", timeout=10).json()


def issue(**parameters):
    answer = requests.post(
        metadata()["token_endpoint"], data={"grant_type": "client_credentials", **parameters},
        auth=("gateway", secrets["gateway"]), timeout=10)
    answer.raise_for_status()
    return answer.json()["access_token"]


class Obtaining(unittest.TestCase):
    """Clients that get a token."""

    def test_authlib_obtains(self):
        for method in ["client_secret_basic", "client_secret_post"]:
            with self.subTest(method=method):
                session = OAuth2Session(
                    "gateway", secrets["gateway"], token_endpoint_auth_method=method, scope="read")
                token = session.fetch_token(metadata()["token_endpoint"], grant_type="client_credentials")
                self.assertEqual(token["token_type"], "Bearer")
                self.assertEqual(token["scope"], "read")
                self.assertEqual(token["expires_in"], 3600)
                self.assertNotIn("refresh_token", token)

    def test_authlib_introspects_and_revokes(self):
        session = OAuth2Session("gateway", secrets["gateway"])
        token = issue()
        document = metadata()
        answer = session.introspect_token(document["introspection_endpoint"], token=token)
        self.assertTrue(answer.json()["active"])
        self.assertEqual(session.revoke_token(document["revocation_endpoint"], token=token).status_code, 200)
        answer = session.introspect_token(document["introspection_endpoint"], token=token)
        self.assertEqual(answer.json(), {"active": False})

    def test_authlib_is_told_why(self):
        session = OAuth2Session("gateway", "wrong")
        with self.assertRaisesRegex(Exception, "invalid_client"):
            session.fetch_token(metadata()["token_endpoint"], grant_type="client_credentials")

    def test_curl_obtains(self):
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--user", f"gateway:{secrets['gateway']}",
             "--data", "grant_type=client_credentials", "--data-urlencode", f"resource={BOOK}",
             metadata()["token_endpoint"]],
            capture_output=True, text=True, timeout=20, check=True)
        token = json.loads(done.stdout)["access_token"]
        self.assertEqual(jwt.decode(token, options={"verify_signature": False})["aud"], BOOK)

    def test_chosen_secret_raw_and_encoded(self):
        server.command(
            "client", "add", "chosen", "--grant", f"{BOOK}=read", "--secret-stdin", text=CHOSEN_SECRET)
        endpoint = metadata()["token_endpoint"]
        # As most clients, requests sends Basic credentials as they are; a body is always encoded.
        for way in [{"auth": ("chosen", CHOSEN_SECRET.encode())},
                    {"data": {"client_id": "chosen", "client_secret": CHOSEN_SECRET}}]:
            data = {"grant_type": "client_credentials", **way.pop("data", {})}
            self.assertEqual(requests.post(endpoint, data=data, timeout=10, **way).status_code, 200)


class Verifying(unittest.TestCase):
    """Verifiers, for each algorithm that a key can have."""

    def test_every_algorithm(self):
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm=algorithm):
                server.command("key", "rotate", "--algorithm", algorithm, "--now")
                token = issue(resource=BOOK)
                self.assertEqual(jwt.get_unverified_header(token)["alg"], algorithm)
                self.verify_with_pyjwt(token, algorithm)
                self.verify_with_authlib(token, algorithm)
                self.verify_with_joserfc(token, algorithm)

    def verify_with_pyjwt(self, token, algorithm):
        keys = jwt.PyJWKClient(metadata()["jwks_uri"])
        key = keys.get_signing_key_from_jwt(token)
        claims = jwt.decode(
            token, key.key, algorithms=[algorithm], audience=BOOK, issuer=server.issuer,
            options={"require": ["exp", "iat", "iss", "aud", "sub", "jti"]})
        self.assertEqual(claims["client_id"], "gateway")
        self.assertEqual(claims["sub"], "gateway")
        self.assertEqual(jwt.get_unverified_header(token)["typ"], "at+jwt")
        for wrong in [{"audience": REVIEW, "issuer": server.issuer},
                      {"audience": BOOK, "issuer": server.issuer + "/"}]:
            with self.assertRaises(jwt.InvalidTokenError):
                jwt.decode(token, key.key, algorithms=[algorithm], **wrong)

    def verify_with_authlib(self, token, algorithm):
        keys = JsonWebKey.import_key_set(requests.get(metadata()["jwks_uri"], timeout=10).json())
        claims = JsonWebToken([algorithm]).decode(token, keys, claims_options={
            "iss": {"essential": True, "value": server.issuer}, "aud": {"essential": True, "value": BOOK}})
        claims.validate()
        self.assertEqual(claims["scope"], "read")

    def verify_with_joserfc(self, token, algorithm):
        keys = KeySet.import_key_set(requests.get(metadata()["jwks_uri"], timeout=10).json())
        decoded = joserfc_jwt.decode(token, keys, algorithms=[algorithm])
        self.assertEqual(decoded.header["typ"], "at+jwt")
        registry = joserfc_jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": server.issuer}, aud={"essential": True, "value": BOOK},
            exp={"essential": True})
        registry.validate(decoded.claims)

    def test_several_audiences(self):
        token = issue()
        key = jwt.PyJWKClient(metadata()["jwks_uri"]).get_signing_key_from_jwt(token)
        algorithm = jwt.get_unverified_header(token)["alg"]
        for audience in [BOOK, REVIEW]:
            claims = jwt.decode(token, key.key, algorithms=[algorithm], audience=audience, issuer=server.issuer)
            self.assertEqual(claims["aud"], [BOOK, REVIEW])
            self.assertEqual(claims["scope"], "read")


class Signatures(unittest.TestCase):
    """A4: r and s of ES256 have 32 bytes each, however small they are."""

    COUNT = 1000

    def test_a_thousand_tokens_in_cryptography(self):
        server.command("key", "rotate", "--algorithm", "ES256", "--now")
        session = requests.Session()
        session.auth = ("gateway", secrets["gateway"])
        endpoint = metadata()["token_endpoint"]
        keys = {}
        short = 0
        started = time.time()
        for _ in range(self.COUNT):
            answer = session.post(endpoint, data={"grant_type": "client_credentials"}, timeout=10)
            signed, _, signature = answer.json()["access_token"].rpartition(".")
            kid = jwt.get_unverified_header(answer.json()["access_token"])["kid"]
            if kid not in keys:
                keys[kid] = self.public_key(kid)
            raw = base64.urlsafe_b64decode(signature + "==")
            self.assertEqual(len(raw), 64)
            r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
            short += min(r, s) < 1 << 248
            try:
                keys[kid].verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
            except InvalidSignature:
                self.fail(f"cryptography refuses {answer.json()['access_token']}")
        print(f"{self.COUNT} tokens in {time.time() - started:.1f} s, {short} with a short r or s", flush=True)

    def public_key(self, kid):
        for key in requests.get(metadata()["jwks_uri"], timeout=10).json()["keys"]:
            if key["kid"] == kid:
                numbers = [int.from_bytes(base64.urlsafe_b64decode(key[n] + "=="), "big") for n in "xy"]
                return ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
        return self.fail(f"{kid} is not published")


class Measuring(unittest.TestCase):
    """Prometheus, as its own library reads the page."""

    @staticmethod
    def families():
        answer = requests.get(server.metrics, timeout=10)
        answer.raise_for_status()
        return answer.headers["Content-Type"], {
            family.name: family for family in text_string_to_metric_families(answer.text)}

    @staticmethod
    def issued(families):
        return sum(
            sample.value for sample in families["authserver_requests"].samples
            if sample.labels == {"endpoint": "token", "status": "200"})

    def test_prometheus_reads(self):
        content_type, before = self.families()
        self.assertEqual(content_type, "text/plain; version=0.0.4; charset=utf-8")
        for _ in range(7):
            issue()
        _, after = self.families()
        self.assertEqual(self.issued(after) - self.issued(before), 7)
        for name, family in after.items():
            self.assertNotIn(family.type, ["unknown", "untyped"], name)
            self.assertTrue(family.documentation and family.samples, name)
            labels = [(sample.name, tuple(sorted(sample.labels.items()))) for sample in family.samples]
            self.assertEqual(len(labels), len(set(labels)), name)

    def test_buckets_agree_with_count(self):
        issue()
        buckets, counts = {}, {}
        for sample in self.families()[1]["authserver_request_duration_seconds"].samples:
            endpoint = sample.labels["endpoint"]
            if sample.name.endswith("_bucket"):
                buckets.setdefault(endpoint, []).append((float(sample.labels["le"]), sample.value))
            if sample.name.endswith("_count"):
                counts[endpoint] = sample.value
        self.assertGreater(counts["token"], 0)
        for endpoint, steps in buckets.items():
            self.assertEqual(steps, sorted(steps))
            self.assertEqual(steps[-1], (float("inf"), counts[endpoint]))
            self.assertEqual([value for _, value in steps], sorted(value for _, value in steps))


if __name__ == "__main__":
    unittest.main()
