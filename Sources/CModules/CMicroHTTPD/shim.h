#pragma once
// netdb.h, epoll and the like first: microhttpd.h must see what Swift's Glibc module sees.
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <microhttpd.h>

/// accept4 without blocking and closed on exec; it is declared for _GNU_SOURCE alone.
static inline int auth_accept(int listener, struct sockaddr_storage *address, socklen_t *length) {
    return (int)syscall(SYS_accept4, listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// Variadic functions do not import into Swift: each is wrapped for the one way in which it is called.

/// What a daemon is started with; the callbacks get `context` as their first argument.
struct auth_mhd_options {
    void *context;
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*request_line)(void *context, const char *uri, struct MHD_Connection *connection);
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    unsigned int idle_seconds;
    unsigned int maximum_connections;
    size_t memory_per_connection;
    const char *tls_key;          // PEM, or NULL for plain HTTP
    const char *tls_certificate;  // PEM chain
};

/// A daemon without listening socket and without threads, in external epoll mode; NULL when it cannot start.
static inline struct MHD_Daemon *auth_mhd_start(const struct auth_mhd_options *o) {
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)o->tls_key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)o->tls_certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    if (o->tls_key) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, o->handle, o->context,
        MHD_OPTION_NOTIFY_COMPLETED, o->completed, o->context,
        MHD_OPTION_NOTIFY_CONNECTION, o->connection, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->request_line, o->context,
        MHD_OPTION_UNESCAPE_CALLBACK, o->unescape, o->context,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_seconds,
        MHD_OPTION_CONNECTION_LIMIT, o->maximum_connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->memory_per_connection,
        MHD_OPTION_STRICT_FOR_CLIENT, 0,  // what it would refuse is refused by Strictness, in the server's own words
        MHD_OPTION_ARRAY, o->tls_key ? tls : none,
        MHD_OPTION_END);
}

/// The descriptor that tells when the daemon has work, or -1.
static inline int auth_mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// What the connection callback stored for a connection.
static inline void *auth_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// The size of the request's header block in bytes.
static inline size_t auth_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
