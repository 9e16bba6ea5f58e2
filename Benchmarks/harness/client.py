"""A client of our own, for what is needed before and after a measurement."""
import json
import socket
import urllib.parse

GRANT = "grant_type=client_credentials&scope=read"


class Client:
    """One connection, closed by the server when it is idle for a minute, on which requests may be sent ahead of their answers."""

    def __init__(self, url):
        port = int(url.rpartition(":")[2])
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.file = self.socket.makefile("rb")

    def send(self, requests):
        """Sends requests (authorization, path, body) and reads their answers: (status, body)."""
        self.socket.sendall(b"".join(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {authorization}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            for authorization, path, body in requests))
        return [self.answer() for _ in requests]

    def answer(self):
        status = int(self.file.readline().split()[1])
        length = 0
        while (line := self.file.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        return status, self.file.read(length)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def tokens(self, authorization, count):
        """So many different tokens."""
        found = []
        while len(found) < count:
            answers = self.send([(authorization, "/oauth/token", GRANT)] * min(50, count - len(found)))
            found += [json.loads(body)["access_token"] for _, body in answers]
        return found

    def is_active(self, authorization, token):
        body = urllib.parse.urlencode({"token": token})
        [(status, answer)] = self.send([(authorization, "/oauth/introspect", body)])
        return status == 200 and json.loads(answer)["active"] is True


def active(url, authorization, tokens):
    """How many of the tokens are active."""
    with Client(url) as client:
        return sum(client.is_active(authorization, token) for token in tokens)
