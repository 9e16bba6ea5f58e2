#pragma once
// What both see of the system's headers must be the same: these come first.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <curl/curl.h>

// Variadic functions do not import into Swift: each is wrapped for the one way in which it is called. Only what
// libcurl 7.77 has is used.

/// What an easy handle is to do; all of it must live as long as the handle, except for url and method. The callbacks get
/// `context`.
struct auth_curl_request {
    const char *url;
    const char *method;
    int has_no_body;  // the answer to HEAD
    struct curl_slist *fields;
    const char *body;  // NULL for none
    size_t body_length;
    int avoids_proxy;
    char *error_text;  // CURL_ERROR_SIZE bytes
    void *context;
    curl_write_callback receive_head;
    curl_write_callback receive_body;
    curl_resolver_start_callback resolve;
    curl_opensocket_callback open_socket;
};

static inline CURLcode auth_curl_set_callbacks(CURL *handle, const struct auth_curl_request *r) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, r->error_text);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, r->receive_head);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, r->context);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, r->receive_body);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, r->context);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, r->resolve);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_RESOLVER_START_DATA, r->context);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, r->open_socket);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, r->context);
    return code;
}

// CURLOPT_PROTOCOLS has a successor that libcurl 7.74 does not know.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
/// What holds for every request. Some of it is libcurl's default: it is set nevertheless, because safety rests on it.
static inline CURLcode auth_curl_set_rules(CURL *handle) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    if (!code) code = curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HTTP09_ALLOWED, 0L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    // What a server says on a connection that nobody asks anything on (408, most likely) would be taken for the answer
    // to the next question: servers have such patience for longer than this.
    if (!code) code = curl_easy_setopt(handle, CURLOPT_MAXAGE_CONN, 4L);
    // A proxy is told where to connect to, and nothing of the request.
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    return code;
}
#pragma clang diagnostic pop

static inline CURLcode auth_curl_set_request(CURL *handle, const struct auth_curl_request *r) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_URL, r->url);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HTTPHEADER, r->fields);
    // An empty name is no proxy, whatever the environment says.
    if (!code && r->avoids_proxy) code = curl_easy_setopt(handle, CURLOPT_PROXY, "");
    if (!code && r->has_no_body) return curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, r->method);
    if (code || !r->body) return code;
    code = curl_easy_setopt(handle, CURLOPT_POST, 1L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_length);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_POSTFIELDS, r->body);
    return code;
}

/// Trusts these certificates, in PEM, and no others: what is in the system's file and folder would count as well. They
/// are copied, and a connection is for requests alone that bring the same. libcurl is given no file's name, because it
/// would open the file on the thread of all transfers, and wait there for whoever is to write into it.
static inline CURLcode auth_curl_trust(CURL *handle, const void *pem, size_t length) {
    struct curl_blob blob = {.data = (void *)pem, .len = length, .flags = CURL_BLOB_COPY};
    CURLcode code = curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_CAINFO, (char *)NULL);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_CAPATH, (char *)NULL);
#if LIBCURL_VERSION_NUM >= 0x075700
    // Else those of another request might count.
    if (!code) code = curl_easy_setopt(handle, CURLOPT_CA_CACHE_TIMEOUT, 0L);
#endif
    return code;
}

/// The status of the answer, 0 for none.
static inline long auth_curl_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

/// How many connections there may be before idle ones are closed.
static inline CURLMcode auth_curl_limit_connections(CURLM *multi, long connections) {
    return curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
}

/// Names the calling thread; the system shows 15 characters.
static inline void auth_curl_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
