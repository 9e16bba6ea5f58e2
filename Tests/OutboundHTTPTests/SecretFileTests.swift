import Foundation
import Glibc
import OutboundHTTP
import TestSupport
import Testing

struct SecretFileTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("secret")
    }

    private func write(_ content: [UInt8]) throws {
        try Data(content).write(to: URL(filePath: path))
    }

    @Test(arguments: [
        ("s3cret", "s3cret"), ("s3cret\n", "s3cret"), ("s3cret\r\n", "s3cret"), (" s3cret \n", " s3cret "),
        ("\u{E9}\u{1F511}\n", "\u{E9}\u{1F511}"),
    ])
    func `the secret is all that the file has but for one line end`(content: String, secret: String) throws {
        try write(Array(content.utf8))
        #expect(try SecretFile(path).secret() == secret)
    }

    @Test(
        arguments: [
            ([], "has no secret in it"), (Array("\n".utf8), "has no secret in it"),
            (Array("s3cret\n\n".utf8), "is not one line of text in UTF-8"),
            (Array("s3cret\0".utf8), "is not one line of text in UTF-8"),
            ([0x73, 0xFF], "is not one line of text in UTF-8"),
            (
                Array("\u{FEFF}s3cret\n".utf8),
                "begins with a byte order mark: save it as UTF-8 without one"
            ),
        ] as [([UInt8], String)])
    func `a file that has no secret is said by its name, and nothing of it is`(content: [UInt8], what: String)
        throws
    {
        try write(content)
        let error = #expect(throws: SecretFileError.self) { try SecretFile(path).secret() }
        #expect(error?.description == "the file \(path) \(what)")
    }

    @Test func `a secret has 4 KiB at most`() throws {
        try write(Array(repeating: UInt8(ascii: "s"), count: 4096))
        #expect(try SecretFile(path).secret().utf8.count == 4096)
        try write(Array(repeating: UInt8(ascii: "s"), count: 4097))
        let error = #expect(throws: SecretFileError.self) { try SecretFile(path).secret() }
        #expect(error?.description == "the file \(path) has more than 4 KiB: it is another file")
    }

    @Test func `a file that is not there, a folder and a pipe are none`() throws {
        for (make, what) in [
            ({ _ in }, "cannot be read: No such file or directory"),
            (
                { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
                "is a folder"
            ),
            ({ mkfifo($0, 0o600) }, "is no regular file"),
        ] as [((String) throws -> Void, String)] {
            try? FileManager.default.removeItem(atPath: path)
            try make(path)
            let error = #expect(throws: SecretFileError.self) { try SecretFile(path).secret() }
            #expect(error?.description == "the file \(path) \(what)")
        }
    }

    @Test func `a link that is led elsewhere is followed, as Kubernetes replaces the files of a secret`()
        throws
    {
        let manager = FileManager.default
        for number in 1...2 {
            try manager.createDirectory(
                atPath: folder.file("..\(number)"), withIntermediateDirectories: false)
            try Data("secret-\(number)".utf8).write(to: URL(filePath: folder.file("..\(number)/secret")))
        }
        try manager.createSymbolicLink(atPath: folder.file("..data"), withDestinationPath: "..1")
        try manager.createSymbolicLink(atPath: path, withDestinationPath: "..data/secret")
        let file = SecretFile(path)
        #expect(try file.secret() == "secret-1")
        try manager.createSymbolicLink(atPath: folder.file("..data_tmp"), withDestinationPath: "..2")
        #expect(rename(folder.file("..data_tmp"), folder.file("..data")) == 0)
        #expect(try file.secret() == "secret-2")
    }
}
