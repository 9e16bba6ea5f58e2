extension CommandTree {
    /// The commands of `authserver`.
    static let authserver = CommandTree(
        usage: """
            Usage: authserver COMMAND [FLAGS]

            An OAuth 2.0 authorization server for machines: clients get tokens with the client-credentials grant,
            and services check what a token may do at them.

            Commands:
              serve      run the server
              migrate    create the database or bring it up to date
              client     add|list|show|set|grant|revoke-grant|rotate-secret|remove-secret|enable|disable|remove
              resource   add|list|show|set|remove
              key        list|rotate|retire|encrypt
              token      issue|inspect|revoke
              history    list who changed the registry, what and when
              help       show the help of a command: authserver help client add

            Flags of every command:
              --help, -h        show its help
              --json            print the result, and errors, as JSON for programs
              --config FILE     read settings from a JSON5 file
            authserver --version prints the version.

            Exit status: 0 done, 1 refused or failed, 2 wrong command line or configuration.

            Examples:
              authserver migrate
              authserver resource add RESOURCE_ID_BOOK --scopes read,write
              authserver client add gateway --grant RESOURCE_ID_BOOK=read --lifetime 3600
              authserver serve --listen 127.0.0.1:8083

            """,
        commands: [ServeCommand.command, MigrateCommand.command, HistoryCommand.command],
        groups: [ClientCommands.group, ResourceCommands.group, KeyCommands.group, TokenCommands.group])
}
