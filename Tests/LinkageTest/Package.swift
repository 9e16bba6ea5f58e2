// swift-tools-version: 6.3
import PackageDescription

// A package as a user has it: it depends on this one from outside and links ResourceGuard alone.
// scripts/linkage-test builds it and looks at what its executable needs at run time.
let package = Package(
    name: "LinkageTest",
    dependencies: [.package(name: "authserver", path: "../..")],
    targets: [
        .executableTarget(
            name: "LinkageTest",
            dependencies: [.product(name: "ResourceGuard", package: "authserver")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
