"""Introspection, revocation, the key set and the metadata, beside the fixed reply of the same engine."""
import os
import random

from . import wrk
from .aims import judge
from .client import Client, active
from .comparison import median
from .processes import Processes, fail
from .redis import Redis
from .requests import Subject, compare

TOKENS = 20_000
INTROSPECT, REVOKE = "/oauth/introspect", "/oauth/revoke"


def forms(program, name, authorization, tokens):
    """A script that sends the tokens one after the other."""
    path = os.path.join(program.folder, name + ".forms")
    with open(path, "w") as file:
        file.writelines(f"{authorization}\ttoken={token}\n" for token in tokens)
    return wrk.script(program.folder, name, wrk.forms(path))


def run(options, program, report):
    with Processes() as processes:
        redis = Redis(processes, program.folder)
        database, authorization = program.registry("endpoints")
        server, url = program.serve(processes, "endpoints", database, ["--redis", redis.url])
        reply, reply_url = program.limit(processes, "reply")
        with Client(url) as client:
            tokens = client.tokens(authorization, TOKENS)
        same = wrk.script(program.folder, "same", wrk.form(authorization, f"token={tokens[0]}"))
        many = forms(program, "many", authorization, tokens)
        get = wrk.script(program.folder, "get", "")

        def limit(script):
            return Subject("limit: fixed reply", reply, reply_url, "/", script)

        def subject(name, path, script):
            return Subject(name, server, url, path, script)

        asked = limit(same)
        runs = compare(options, report, "introspection, Redis store, one thread", [
            asked, subject("the same token again", INTROSPECT, same),
            subject(f"{TOKENS:,} tokens in turn", INTROSPECT, many)], asked)
        # An answer that a token is not active would be a success, too, and quicker.
        if active(url, authorization, tokens[:1] + random.sample(tokens, 200)) < 201:
            fail("a token that was introspected is not active")
        report.aim(judge("introspect.rate", median(runs["the same token again"], "per_second")))
        read = limit(get)
        compare(options, report, "documents", [
            read, subject("key set", "/.well-known/jwks.json", get),
            subject("metadata", "/.well-known/oauth-authorization-server", get)], read)
        ended = limit(many)
        compare(options, report, "revocation, Redis store, one thread", [
            ended, subject(f"{TOKENS:,} tokens in turn", REVOKE, many)], ended)
        # wrk makes one request before it counts, which it does not send.
        if active(url, authorization, tokens[1:50]) > 0:
            fail("a token that was revoked is active")
