import AuthStore
@main struct Main { static func main() {} }
