/// `authserver resource`: what tokens can be meant for.
enum ResourceCommands {
    static let group = CommandGroup(
        word: "resource", usage: usage,
        commands: [
            ResourceAdd.command, ResourceList.command, ResourceShow.command, ResourceSet.command,
            ResourceRemove.command,
        ])

    private static let usage = """
        Usage: authserver resource COMMAND

        Protected resources, their scopes and their owners. The owner of a resource is the client that may
        introspect the tokens meant for it.

        Commands:
          add      add a resource
          list     list the resources
          show     show a resource and who may do what there
          set      add or remove scopes, or set the owner
          remove   remove a resource
        authserver resource COMMAND --help shows more.

        Examples:
          authserver resource add RESOURCE_ID_BOOK --scopes read,write
          authserver resource set RESOURCE_ID_BOOK --owner book

        """
}
