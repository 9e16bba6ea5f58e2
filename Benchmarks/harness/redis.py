"""A Redis of our own, and a connection to it."""
import socket

from .processes import LOAD, free_port


class Redis:
    """redis-server without a disk, on the processor of the load."""

    def __init__(self, processes, folder):
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process = processes.start(
            folder, "redis-server",
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            self.port, LOAD)
        self.connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self.file = self.connection.makefile("rb")

    def send(self, commands):
        """Sends commands, and reads their replies."""
        request = bytearray()
        for words in commands:
            request += f"*{len(words)}\r\n".encode()
            for word in words:
                data = str(word).encode()
                request += b"$%d\r\n%s\r\n" % (len(data), data)
        self.connection.sendall(request)
        return [self.reply() for _ in commands]

    def reply(self):
        line = self.file.readline()
        if line[:1] != b"$":
            return line.decode().strip()
        length = int(line[1:])
        return self.file.read(length + 2)[:length].decode() if length >= 0 else None

    def empty(self):
        self.send([["FLUSHALL", "SYNC"]])

    def information(self, section):
        text = self.send([["INFO", section]])[0]
        return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
