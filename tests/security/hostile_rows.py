# SPDX-License-Identifier: Apache-2.0
"""The table of hostile requests: the bytes to send, the status they must be answered with, and the
code of the problem in the answer. @HOST@, @PORT@ and @TOKEN@ stand for the server's own.

Where two statuses would be right, the row says which this server gives and it stays so. `code` None:
not an error. `status` None: the connection is closed without an answer."""
import dataclasses
import json


@dataclasses.dataclass
class Row:
    name: str
    request: bytes
    status: int | None
    code: str | None = None


HOST = "Host: @HOST@"
AUTH = "Authorization: Bearer @TOKEN@"
JSON = "Content-Type: application/json"
T = "/api/v1/targets/t1"  # A database with the column family "default" and table 24 of 13218 bytes.
MULTIGET = T + "/cfs/default:multiget"
JOBS = T + "/jobs"
BAD, FORBIDDEN, UNAUTHORIZED = (400, "bad_request"), (403, "forbidden"), (401, "unauthorized")
NOT_ALLOWED, READ_ONLY = (405, "method_not_allowed"), (403, "read_only")
NOTHING, MEDIA = (404, "resource_not_found"), (415, "unsupported_media_type")
TOO_LARGE = "payload_too_large"
OK = (200, None)


def raw(*lines, body=b""):
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def get(target="/api/v1/", *headers, method="GET", host=HOST, auth=AUTH):
    return raw(f"{method} {target} HTTP/1.1", *[h for h in (host, auth) if h], *headers)


def post(target, body, *headers, method="POST", kind=JSON, length=None):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    size = f"Content-Length: {len(body) if length is None else length}"
    return raw(f"{method} {target} HTTP/1.1", HOST, AUTH, *([kind] if kind else []), size, *headers,
               body=body)


def hosts():
    for name in ("", "127.0.0.1", "localhost", "evil.example", "evil.example:@PORT@",
                 "127.0.0.1:1", "127.0.0.1:@PORT@0", "127.0.0.1:0@PORT@", "127.0.0.1:+@PORT@",
                 "127.0.0.1.:@PORT@", "localhost.:@PORT@", "localhost6:@PORT@",
                 "localhost4:@PORT@", "localhost.localdomain:@PORT@", "a.localhost:@PORT@",
                 "ip6-localhost:@PORT@", "127.0.0.1.nip.io:@PORT@", "7f000001.rbndr.us:@PORT@",
                 "127.0.0.1.evil.example:@PORT@", "127.1:@PORT@", "2130706433:@PORT@",
                 "0x7f000001:@PORT@", "0x7f.0.0.1:@PORT@", "0177.0.0.1:@PORT@",
                 "127.000.000.001:@PORT@", "127.0.0.2:@PORT@", "0.0.0.0:@PORT@", "0:@PORT@",
                 "[::]:@PORT@", "[::ffff:127.0.0.1]:@PORT@", "[0:0:0:0:0:0:0:1]:@PORT@",
                 "[::1%lo]:@PORT@", "::1:@PORT@", "[::1]", "user@127.0.0.1:@PORT@",
                 "127.0.0.1:@PORT@@evil.example", "127.0.0.1:@PORT@, evil.example",
                 "evil.example, 127.0.0.1:@PORT@", "127.0.0.1:@PORT@/", "http://127.0.0.1:@PORT@",
                 "127.0.0.1 :@PORT@", "127.0.0.1:@PORT@#x", "*", "null"):
        yield f"host {name!r}", get(host="Host: " + name), *FORBIDDEN
        if name.startswith(("evil", "127.0.0.1.n")):  # The page and its scripts too.
            yield f"host {name!r}, page", get("/", host="Host: " + name, auth=None), *FORBIDDEN
    yield "no host", get(host=None), *FORBIDDEN
    yield "two hosts", get("/api/v1/", "Host: evil.example"), *FORBIDDEN
    yield "two hosts, the same", get("/api/v1/", HOST), *FORBIDDEN
    yield "two hosts, another case", get("/api/v1/", "hOST: evil.example"), *FORBIDDEN
    yield "forwarded host", get("/api/v1/", "X-Forwarded-Host: evil.example"), *OK
    yield "host in capitals", get(host="HOST: LocalHost:@PORT@"), *OK
    yield "host by IPv6", get(host="Host: [::1]:@PORT@"), *OK
    yield "host with white space around", get(host="Host: \t @HOST@ \t"), *OK
    yield "absolute form", get("http://@HOST@/api/v1/"), *OK
    yield "absolute form, another host", get("http://evil.example/api/v1/"), *FORBIDDEN
    yield "absolute form, other host header", get("http://@HOST@/api/v1/", host="Host: x"), *FORBIDDEN
    yield "absolute form, user", get("http://u:p@@HOST@/api/v1/"), *FORBIDDEN
    yield "absolute form, no path", get("http://@HOST@"), *BAD
    yield "absolute form, no host", get("http:///api/v1/"), *BAD
    yield "absolute form, https", get("https://@HOST@/api/v1/"), *BAD
    yield "absolute form, file", get("file:///etc/passwd"), *BAD
    yield "authority form", get("@HOST@", method="CONNECT"), *BAD
    yield "asterisk form", get("*", method="OPTIONS"), *BAD
    yield "network path", get("//evil.example/api/v1/", auth=None), *NOTHING


def sites():
    ours, other = "Origin: http://@HOST@", "Origin: http://evil.example"
    for target in ("/api/v1/", "/"):
        auth = AUTH if target != "/" else None
        for site in ("cross-site", "same-site", "", "same-origin, none", "Same-Origin", "x"):
            yield f"site {site!r} {target}", get(target, "Sec-Fetch-Site: " + site, auth=auth), *FORBIDDEN
        for origin in ("null", "", "http://evil.example", "https://@HOST@", "http://127.0.0.1",
                       "http://localhost:@PORT@", "http://@HOST@/", "http://@HOST@.evil.example",
                       "http://evil.example/http://@HOST@", "HTTP://@HOST@", "file://",
                       "chrome-extension://abcdef", "http://@HOST@ http://evil.example"):
            yield f"origin {origin!r} {target}", get(target, "Origin: " + origin, auth=auth), *FORBIDDEN
        yield f"our site {target}", get(target, "Sec-Fetch-Site: same-origin", ours, auth=auth), *OK
        yield f"typed in {target}", get(target, "Sec-Fetch-Site: none", auth=auth), *OK
    yield "two origins", get("/api/v1/", ours, other), *BAD
    yield "two sites", get("/api/v1/", "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"), *BAD
    yield "cross-site change", post(JOBS, {"kind": "verify"}, "Sec-Fetch-Site: cross-site"), *FORBIDDEN
    yield "foreign origin, change", post(JOBS, {"kind": "verify"}, other), *FORBIDDEN
    yield "foreign origin, head", get("/api/v1/", other, method="HEAD"), 403, None
    yield "preflight", get("/api/v1/", ours, "Access-Control-Request-Method: POST",
                           method="OPTIONS"), *NOT_ALLOWED
    yield "preflight, foreign", get("/api/v1/", other, "Access-Control-Request-Method: POST",
                                    method="OPTIONS"), *FORBIDDEN
    yield "private network preflight", get("/", "Access-Control-Request-Private-Network: true",
                                           method="OPTIONS"), *NOT_ALLOWED


def tokens():
    for name, auth in (("absent", None), ("empty", "Authorization:"),
                       ("scheme alone", "Authorization: Bearer"),
                       ("scheme and space", "Authorization: Bearer "),
                       ("no scheme", "Authorization: @TOKEN@"),
                       ("basic", "Authorization: Basic @TOKEN@"),
                       ("digest", 'Authorization: Digest token="@TOKEN@"'),
                       ("short", "Authorization: Bearer 0"),
                       ("zeros", "Authorization: Bearer " + "0" * 32),
                       ("longer", "Authorization: Bearer @TOKEN@0"),
                       ("twice", "Authorization: Bearer @TOKEN@@TOKEN@"),
                       ("list", "Authorization: Bearer @TOKEN@, Bearer x"),
                       ("quoted", 'Authorization: Bearer "@TOKEN@"'),
                       ("after two spaces", "Authorization: Bearer  @TOKEN@"),
                       ("after a tab", "Authorization: Bearer\t@TOKEN@"),
                       ("capitals", "Authorization: Bearer " + "A" * 32),
                       ("long", "Authorization: Bearer " + "a" * 8000),
                       ("latin-1", "Authorization: Bearer \xff\xfe"),
                       ("sql", "Authorization: Bearer ' OR '1'='1"),
                       ("in a cookie", "Cookie: token=@TOKEN@"),
                       ("in another header", "X-Token: @TOKEN@"),
                       ("for a proxy", "Proxy-Authorization: Bearer @TOKEN@")):
        yield "token " + name, get(auth=auth), *UNAUTHORIZED
    for target in ("/api/v1/?token=@TOKEN@", "/api/v1/?access_token=@TOKEN@", T, T + "/files",
                   T + "/cfs/default/get?key=a", "/api/v1/openapi.json", "/api/v1/nothing", "/api",
                   "/api/", "/metrics", T + "/files/24/bytes"):
        yield f"no token, {target}", get(target, auth=None), *UNAUTHORIZED
    yield "no token, head", get(T, auth=None, method="HEAD"), 401, None
    yield "no token, post", raw(f"POST {JOBS} HTTP/1.1", HOST, JSON, "Content-Length: 17",
                                body=b'{"kind":"verify"}'), *UNAUTHORIZED
    yield "two tokens", get("/api/v1/", "Authorization: Bearer x"), *BAD
    yield "token in the query as well", get("/api/v1/?token=@TOKEN@"), *BAD
    yield "scheme in capitals", get(auth="Authorization: BEARER @TOKEN@"), *OK


def methods():
    for method in ("PUT", "OPTIONS", "TRACE", "CONNECT"):
        yield f"method {method}", get(method=method), *NOT_ALLOWED
        yield f"method {method}, page", get("/", method=method), *NOT_ALLOWED
    for method in ("get", "Get", "GETX", "G", "", "PROPFIND", "MOVE", "PRI", "DEBUG", "TRACK",
                   "GET\t", "G\x00T", "\x80GET", "A" * 5000):
        yield f"method {method[:12]!r}", get(method=method), *BAD
    yield "post to a page", post("/", {}), *NOT_ALLOWED
    yield "delete a page", get("/", method="DELETE"), *NOT_ALLOWED
    yield "post to a list", post(T + "/files", {}), *NOT_ALLOWED
    yield "delete a file", get(T + "/files/24", method="DELETE"), *NOT_ALLOWED
    yield "delete a target", get(T, method="DELETE"), *NOT_ALLOWED
    yield "post a target", post("/api/v1/targets", {"path": "/etc"}), *NOT_ALLOWED
    yield "patch without --write", post(T + "/cfs/default/options", {"write_buffer_size": 1},
                                        method="PATCH"), *READ_ONLY
    yield "flush without --write", post(T + "/cfs/default:flush", {}), *READ_ONLY
    yield "batch without --write", post(T + "/batch", {"ops": []}), *READ_ONLY
    yield "expectation without --write", post(T + "/batch", {"ops": [{"op": "delete", "key": "a"}],
                                                             "expect": [{"key": "a"}]}), *READ_ONLY
    yield "metrics of files", get("/metrics"), *NOTHING
    yield "post to metrics", post("/metrics", {}), *NOT_ALLOWED
    yield "compact without --write", post(JOBS, {"kind": "compact"}), *READ_ONLY
    for header in ("X-HTTP-Method-Override: DELETE", "X-Method-Override: PATCH", "X-HTTP-Method: PUT"):
        yield header, get("/api/v1/", header), *OK


def lines():
    for version in ("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/9.9"):
        yield version, raw(f"GET /api/v1/ {version}", HOST, AUTH), 505, "bad_request"
    for version in ("HTTP/1.10", "HTTP/1.", "HTTP/11", "HTTPS/1.1", "http/1.1", "HTTP/1,1", "ICY",
                    "HTTP/1.1\x0b", "HTTP/ 1.1", "HTTP/+1.1", "HTTP/x.y"):
        yield f"version {version!r}", raw(f"GET /api/v1/ {version}", HOST, AUTH), *BAD
    for line in ("GET /api/v1/", "GET", " GET /api/v1/ HTTP/1.1", "GET  /api/v1/ HTTP/1.1",
                 "GET /api/v1/  HTTP/1.1", "GET\t/api/v1/\tHTTP/1.1", "GET /api/v1/ HTTP/1.1 ",
                 "GET /api/v1/ HTTP/1.1 HTTP/1.1", "GET /a b HTTP/1.1", "/api/v1/ HTTP/1.1",
                 "HTTP/1.1 200 OK", "GET  HTTP/1.1", "\x16\x03\x01\x02\x00", "\x00", ":", "GET /"):
        yield f"line {line!r}", raw(line, HOST, AUTH), *BAD
    yield "HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "bad_request"
    yield "empty line first", b"\r\n" + get(), *BAD
    yield "byte order mark", b"\xef\xbb\xbf" + get(), *BAD
    yield "bare LF everywhere", get().replace(b"\r\n", b"\n"), *BAD
    yield "bare LF after the line", get().replace(b"\r\n", b"\n", 1), *BAD
    yield "bare CR everywhere", get().replace(b"\r\n", b"\r"), *BAD
    yield "bare CR in a header", get("/api/v1/", "X: a\rHost: evil"), *BAD
    yield "CR CR LF", get().replace(b"\r\n", b"\r\r\n", 1), *BAD
    yield "LF CR", get().replace(b"\r\n", b"\n\r", 1), *BAD
    yield "bare LF at the end, and more", get()[:-2] + b"\nX: y\r\n\r\n", *BAD
    yield "NUL in the line", get("/api/v1/\x00"), *BAD
    yield "NUL in a header", get("/api/v1/", "X: a\x00b"), *BAD
    yield "folded by a space", get("/api/v1/", "X: a", " b: c"), *BAD
    yield "folded by a tab", get("/api/v1/", "X: a", "\tb"), *BAD
    yield "folded first header", raw("GET /api/v1/ HTTP/1.1", " " + HOST, AUTH), *BAD
    for header in ("Host : x", "X Y: z", "X\t: z", ": z", "X", "X\x7f: z", "X\x80: z", "(X): z",
                   "X@: z", "X/Y: z", "X[0]: z", 'X"Y: z', "{X}: z", "X=1", "X;Y: z", "X,Y: z",
                   "<script>: z", "X\\Y: z", "?X: z"):
        yield f"header {header!r}", get("/api/v1/", header), *BAD
    for byte in (0x01, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f):
        yield f"header value with {byte:#x}", get("/api/v1/", f"X: a{chr(byte)}b"), *BAD
    for header in ("Upgrade: websocket", "Upgrade: h2c"):
        yield header, get("/api/v1/", "Connection: Upgrade", header), *BAD
    for expect in ("100-continue", "200-ok", ""):
        yield f"expect {expect!r}", get("/api/v1/", "Expect: " + expect), 417, "bad_request"
    yield "two connections", get("/api/v1/", "Connection: close", "Connection: keep-alive"), *BAD
    yield "header of latin-1", get("/api/v1/", "X: \xe9\xff"), *OK
    yield "empty header", get("/api/v1/", "X:"), *OK


def smuggling():
    inner = get("/api/v1/smuggled")
    zero = b"0\r\n\r\n"
    for coding in ("chunked", "Chunked", "identity", "gzip, chunked", "chunked, identity", " chunked",
                   "\tchunked", "xchunked", "chunked;q=1", '"chunked"', "", "chunked, chunked",
                   "cow", "chunke\xe4"):
        header = "Transfer-Encoding: " + coding
        yield f"CL and TE {coding!r}", post(MULTIGET, zero + inner, header), *BAD
        yield f"TE {coding!r}", raw(f"POST {MULTIGET} HTTP/1.1", HOST, AUTH, JSON, header,
                                    body=zero + inner), *BAD
    for name in ("transfer-encoding", "TRANSFER-ENCODING", "Transfer-Encoding:"):
        yield f"TE as {name}", post(MULTIGET, zero + inner, name + ": chunked"), *BAD
    yield "TE with a space", post(MULTIGET, zero, "Transfer-Encoding : chunked"), *BAD
    yield "TE folded", post(MULTIGET, zero, "Transfer-Encoding:", " chunked"), *BAD
    yield "TE twice", post(MULTIGET, zero, "Transfer-Encoding: identity", "Transfer-Encoding: chunked"), *BAD
    yield "TE of a GET", get("/api/v1/", "Transfer-Encoding: chunked") + zero + inner, *BAD
    yield "TE behind a bare LF", post(MULTIGET, zero, "X: y\nTransfer-Encoding: chunked"), *BAD
    for size in ("1000000000000000000000", "+2", "-1", "0x2", "2 2", "2,2", "2, 2", "02", "2.0",
                 "1e1", "2;", "two", "", "٢", "2\x0b", "0" * 100, "\"2\""):
        text = size.encode().decode("latin-1")
        yield f"content-length {size[:9]!r}", post(MULTIGET, b"{}" + inner, length=text), *BAD
    yield "two lengths", post(MULTIGET, b"{}" + inner, "Content-Length: 2"), *BAD
    yield "two equal lengths", post(MULTIGET, b"{}", "Content-Length: 2"), *BAD
    yield "GET with a body", get("/api/v1/", "Content-Length: 2") + b"{}" + inner, *BAD
    yield "HEAD with a body", get("/api/v1/", "Content-Length: 2", method="HEAD") + b"{}", 400, None
    yield "DELETE with a body", get(JOBS + "/j999", "Content-Length: 2", method="DELETE") + b"{}", *BAD
    yield "GET with length 0", get("/api/v1/", "Content-Length: 0"), *OK
    yield "gzip body", post(MULTIGET, b"\x1f\x8b\x08", "Content-Encoding: gzip"), *MEDIA
    yield "identity body", post(MULTIGET, b"{}", "Content-Encoding: identity"), *MEDIA
    yield "trailer", get("/api/v1/", "Trailer: Host"), *OK
    yield "TE header", get("/api/v1/", "TE: trailers"), *OK
    yield "length named by Connection", post(MULTIGET, {"keys": []}, "Connection: content-length"), *OK
    # The last request of a connection is answered, and nothing after it.
    yield "close, then more", get("/api/v1/", "Connection: close") + inner, *OK


def sizes():
    pad = lambda target, size: target + "a" * (size - len(target))  # noqa: E731
    key = T + "/cfs/default/get?key="
    yield "target of 2048", get(pad(key, 2048)), *OK
    yield "target of 2049", get(pad(key, 2049)), 414, TOO_LARGE
    yield "target of 12000", get(pad(key, 12000)), 414, TOO_LARGE
    yield "absolute target of 2049", get(pad("http://127.0.0.1/", 2049)), 414, TOO_LARGE
    yield "64 headers", get("/api/v1/", *[f"X{i}: y" for i in range(62)]), *OK
    yield "65 headers", get("/api/v1/", *[f"X{i}: y" for i in range(63)]), 431, TOO_LARGE
    yield "1000 headers", get("/api/v1/", *["X: y"] * 1000), 431, TOO_LARGE
    filler = 16384 - len(get("/api/v1/", "X: ").replace(b"@HOST@", b"127.0.0.1:00000")
                         .replace(b"@TOKEN@", b"0" * 32)) - 1
    yield "head of almost 16384", get("/api/v1/", "X: " + "y" * (filler - 4)), *OK
    yield "head of more than 16384", get("/api/v1/", "X: " + "y" * (filler + 8)), 431, TOO_LARGE
    yield "head of 200000", get("/api/v1/", "X: " + "y" * 200000), 431, TOO_LARGE
    yield "line of 20000", raw("GET /" + "a" * 20000 + " HTTP/1.1", HOST), 431, TOO_LARGE
    yield "header name of 9000", get("/api/v1/", "X" * 9000 + ": y"), *OK
    body = lambda size: b'{"keys":["' + b"a" * (size - 13) + b'"]}'  # noqa: E731
    yield "body of 65536", post(MULTIGET, body(65536)), *OK
    yield "body of 65537", post(MULTIGET, body(65537)), 413, TOO_LARGE
    yield "length of 2^64", post(MULTIGET, b"", length=2**64), *BAD
    yield "length of 2^63", post(MULTIGET, b"", length=2**63), 413, TOO_LARGE
    yield "1000 parameters", get("/api/v1/?" + "&".join(["a=1"] * 400)), *BAD
    yield "1000 keys", post(MULTIGET, {"keys": ["a"] * 1000}), *OK
    yield "1001 keys", post(MULTIGET, {"keys": ["a"] * 1001}), *BAD


def paths():
    secret = "secret.txt"
    for form in ("/../" + secret, "/../../../../../../etc/passwd", "/./" + secret, "//" + secret,
                 "/%2e%2e/" + secret, "/%2e%2e%2f" + secret, "/..%2f" + secret, "/%252e%252e/" + secret,
                 "/..;/" + secret, "/.../" + secret, "/....//" + secret, "/%c0%ae%c0%ae/" + secret,
                 "/%e0%80%ae%e0%80%ae/" + secret, "/%ef%bc%8e%ef%bc%8e/" + secret,
                 "/..%5c" + secret, "/%5c..%5c" + secret, "/" + secret, "/etc/passwd", "/proc/self/environ",
                 "/CURRENT", "/000024.sst", "/MANIFEST-000004", "/cursor/CURRENT", "/assets/../index.html",
                 "/assets/", "/assets", "/assets/%2e%2e/index.html", "/.git/config", "/index.html%20",
                 "/index.html.", "/index.html/", "/INDEX.HTML", "/index.html%0d%0aX:y", "/favicon.ico/..",
                 "/static/..%2f..%2f", "/%2f", "/%2fetc%2fpasswd", "/~root/", "/.%0d./", "/:80/",
                 "/web_assets.S", "/%", "/%2", "/%zz"):
        bad = form in ("/%", "/%2", "/%zz")
        yield f"page {form}", get(form, auth=None), *(BAD if bad else NOTHING)
    for form in ("/page\\x", "/..\\..\\etc", "/a#b", "/a b", "/a\tb", "/<script>", '/"', "/{t}", "/a|b",
                 "/a^b", "/a`b", "/\x80", "/\xc0\xae", "/%00", "/index.html%00.js", "/a%00", "/[x]",
                 "/a\x7f", "/\x1b[2J"):
        yield f"raw {form!r}", get(form, auth=None), *BAD
    for form in ("..", ".", "%2e%2e", "%2E.", ".%2e", ""):
        yield f"segment {form!r}", get(f"/api/v1/{form}/targets"), *BAD
        yield f"target {form!r}", get(f"/api/v1/targets/{form}/files"), *BAD
        yield f"file {form!r}", get(f"{T}/files/{form}/bytes"), *BAD
    for form in ("..%2f..%2f" + secret, "%2fetc%2fpasswd", secret, "000024.sst", "..%5c" + secret,
                 "CURRENT", "24%2f..%2f24", "%2e%2e%2e", "24%0a", "+24", "-1", "24.0", "0x18", "1e1",
                 "18446744073709551616", "18446744073709551615", "99999999999999999999999999999999",
                 "%d9%a1%d9%a9", "24%20", "%2024", "24;", "24,25", "*", "a" * 1500):
        number = form == "18446744073709551615"
        yield f"file {form[:30]}", get(f"{T}/files/{form}/bytes"), *((404, "file_not_found") if number else BAD)
    for form in ("t0", "t2", "T1", "t01", "t1%20", "1", "t-1", "..%2ft1", "%2f", "cursor", "t1%2ffiles",
                 "t" + "9" * 300):
        yield f"target {form[:20]}", get(f"/api/v1/targets/{form}/files"), 404, "target_not_found"
    for form in ("..%2fdefault", "%2e%2e%2e", "Default", "1", "-0", "default%20", "%ff%fe", "d%65faultx",
                 "%0d%0aSet-Cookie:x", "a" * 1000):
        yield f"family {form[:20]}", get(f"{T}/cfs/{form}"), 404, "cf_not_found"
    for form in ("/api", "/api/", "/api/v2/", "/api/V1/", "/api/v1/nothing", "/api/v1/targets/t1/nothing",
                 "/api/v1/schema/..%2f..%2fsecret/1", "/api/v1/openapi.json/x", "/api/v1/files"):
        code = "schema_not_found" if "schema" in form else "resource_not_found"
        yield f"resource {form}", get(form), 404, code
    yield "empty segments", get("/api//v1/"), *BAD
    yield "escaped slash in api", get("/api%2fv1/", auth=None), *NOTHING
    yield "escaped api", get("/%61pi/v1/targets", auth=None), *NOTHING
    yield "family, escaped letter", get(T + "/cfs/d%65fault"), *OK
    yield "job", get(JOBS + "/..%2f1"), 404, "job_not_found"
    yield "job of a great number", get(JOBS + "/j99999999999999999999"), 404, "job_not_found"
    yield "wal by a path", get(T + "/wal/..%2f..%2fsecret.txt/records"), *BAD
    yield "version", get(T + "/versions/-1"), *BAD
    yield "version that is not", get(T + "/versions/99999"), 404, "edit_not_found"


def queries():
    scan, one = T + "/cfs/default/scan", T + "/cfs/default/get"
    bad = ("?nothing=1", "?page_size=-1", "?page_size=1e3", "?page_size=99999999999999999999", "?page_size=%31%00", "?page_size=", "?page_size=1&page_size=2",
           "?page_size=1%0a", "?limit=-1", "?limit=x", "?reverse=yes", "?reverse=1", "?bytes=all",
           "?bytes=", "?bytes=HEX", "?%=1", "?from=%g0", "?at_seq=-1", "?at_seq=18446744073709551616",
           "?=", "?=x", "?from[]=a", "?__proto__=x", "?Page_Size=1", "?page%5fsize%20=1")
    for query in bad:
        yield f"scan{query}", get(scan + query), *BAD
    for query in ("?from", "?page_size=0", "?page_size=10001", "?&&from=&", "?"):
        yield f"scan{query}", get(scan + query), *OK
    for literal in ("hex:z", "hex:0", "hex:0x00", "esc:%5Cx0", "esc:%5C", "b64:!", "b64:a", "u64be:x",
                    "u64be:-1", "u64be:18446744073709551616", "hex:" + "0" * 1001):
        yield f"key {literal[:20]}", get(one + "?key=" + literal), 400, "bad_key_literal"
    yield "no key", get(one), *BAD
    yield "two keys", get(one + "?key=a&key=b"), *BAD
    for key in ("%ff%fe", "%0d%0aX-Injected:%201", "%3Cscript%3Ealert(1)%3C/script%3E", "esc:%5Cx00",
                "hex:", "hex:00ff", "%25%30%30", "..%2f..%2fsecret.txt", "%f0%9f%92%a9", "%ed%a0%80",
                "a" * 1900, "%7f", "%e2%80%ae", "'%20OR%201=1--", "$%7b7*7%7d"):
        yield f"odd key {key[:24]}", get(one + "?key=" + key), *OK
    for target in ("/api/v1/%0d%0aSet-Cookie:%20a=b", "/%0d%0aSet-Cookie:%20a=b",
                   "/api/v1/?%0d%0aX-Injected:1", "/api/v1/%0aX-Injected:%201%0a%0a"):
        status = BAD if "?" in target else NOTHING
        yield f"injected {target}", get(target), *status
    for token in ("x", "AAAA", "A" * 1500, "____", "AQ", "Ag", "AgAAAAAAAAAAAAA", "-", "..",
                  "AQAAAAAAAAAAFgE", "AQAAAAAAAAAAFgEAAAAA", "ew0KfQ", "%2f%2f", "1", "AP__________8",
                  "AgEAAAAAAAAAFv___________wE"):
        yield f"page token {token[:20]}", get(scan + "?page_token=" + token), 400, "page_token_mismatch"
    table = T + "/files/24/bytes"
    for form in ("bytes=9999999-", "bytes=-0", "bytes=18446744073709551615-", "bytes=13218-13219"):
        yield f"range {form}", get(table, "Range: " + form), 416, "range_not_satisfiable"
    for form in ("bytes=5-4", "bytes=a-b", "bytes=--1", "bytes=", "bytes", "lines=0-1", "bytes=0-1,3-4",
                 "bytes=" + ",".join(["0-"] * 1000), "bytes=0x0-0x1", "bytes=1-2-3", "bytes= 0-1",
                 "bytes=99999999999999999999-", "bytes=0-99999999999999999999999", "BYTES=0-1"):
        yield f"range {form[:28]}", get(table, "Range: " + form), *OK  # As if there were none.
    yield "two ranges", get(table, "Range: bytes=0-1", "Range: bytes=2-3"), *BAD
    yield "range of a list", get(T + "/files", "Range: bytes=0-1"), *OK
    yield "range of a page", get("/", "Range: bytes=0-1,0-1,0-1"), *OK
    for tag in ("*", '"x"', "W/" + "x" * 3000, ", , ,", "\xff"):
        yield f"if-none-match {tag[:9]!r}", get(T + "/files", "If-None-Match: " + tag), *OK
    for accept in ("*/*;q=" + "9" * 999, "text/html", "application/jsonl" * 99, "\xff", ", ,"):
        yield f"accept {accept[:20]!r}", get("/api/v1/", "Accept: " + accept), *OK
    yield "accept-encoding", get("/api/v1/", "Accept-Encoding: gzip, br, *;q=0"), *OK


def bodies():
    for kind in (None, "Content-Type:", "Content-Type: text/plain", "Content-Type: text/html",
                 "Content-Type: application/x-www-form-urlencoded", "Content-Type: multipart/form-data; boundary=x",
                 "Content-Type: application/jsonx", "Content-Type: application/json; charset=utf-16",
                 "Content-Type: application/json, text/plain", "Content-Type: text/plain; application/json",
                 "Content-Type: application/merge-patch+json"):
        yield f"kind {kind}", post(MULTIGET, {"keys": []}, kind=kind), *MEDIA
    yield "bytes", post(MULTIGET, {"keys": []}, kind="Content-Type: application/octet-stream"), 403, "read_only"
    yield "two kinds", post(MULTIGET, {"keys": []}, "Content-Type: text/plain"), *BAD
    yield "kind in capitals", post(MULTIGET, {"keys": []}, kind="Content-Type: APPLICATION/JSON"), *OK
    deep = b"[" * 30000 + b"]" * 30000
    for name, body in (
            ("empty", b""), ("space", b" "), ("null", b"null"), ("a number", b"1"), ("a string", b'"x"'),
            ("an array", b"[]"), ("cut", b'{"keys":['), ("two documents", b'{"keys":[]}{"keys":[]}'),
            ("trailing comma", b'{"keys":[],}'), ("comment", b'{"keys":[]/**/}'), ("NaN", b'{"keys":NaN}'),
            ("single quotes", b"{'keys':[]}"), ("byte order mark", b'\xef\xbb\xbf\xef\xbb\xbf{"keys":[]}'),
            ("UTF-16", '{"keys":[]}'.encode("utf-16")), ("bad UTF-8", b'{"keys":["\xff\xfe"]}'),
            ("lone surrogate", b'{"keys":["\\ud800"]}'), ("control character", b'{"keys":["a\nb"]}'),
            ("NUL", b'{"keys":["a\x00b"]}'), ("deep arrays", deep), ("deep in keys", b'{"keys":' + deep + b"}"),
            ("deep objects", b'{"a":' * 9000 + b"1" + b"}" * 9000), ("unclosed", b"[" * 65000),
            ("duplicate members", b'{"keys":["a"],"keys":["b"]}'),
            ("duplicate members below", b'{"keys":["a"],"x":{"y":1,"y":2}}'),
            ("a member that is not known", b'{"keys":["a"],"more":1}'),
            ("no keys", b"{}"), ("keys null", b'{"keys":null}'), ("keys of an object", b'{"keys":{}}'),
            ("a number too large", b'{"keys":1e999}'), ("digits", b'{"keys":' + b"9" * 60000 + b"}"),
            ("exponent", b'{"keys":1' + b"0" * 60000 + b"e-60000}"), ("form", b"keys=a&keys=b")):
        yield f"body: {name}", post(MULTIGET, body), *BAD
    for name, keys in (("a number", [1]), ("null", [None]), ("an array", [[]]), ("bad hex", ["hex:z"])):
        yield f"keys: {name}", post(MULTIGET, {"keys": keys}), 400, "bad_key_literal"
    for body in ({}, {"kind": 1}, {"kind": None}, {"kind": "x"}, {"kind": "../verify"}, {"kind": ["verify"]},
                 {"kind": "a" * 60000}, {"kind": "VERIFY"}, {"kind": "salvage", "file": "../../secret.txt"},
                 {"kind": "analysis"}, {"kind": "analysis", "analysis": "../x"}, {"kind": "diff"},
                 {"kind": "verify", "path": "/etc/passwd"}, {"kind": "digest", "file": "19"},
                 {"kind": "diff", "other": "t1", "brief": "yes"}, {"kind": "verify", "file": 19}):
        yield f"job {str(body)[:50]}", post(JOBS, body), *BAD
    yield "job on a path", post(JOBS, {"kind": "diff", "other": "/etc/passwd"}), 404, "target_not_found"


FAMILIES = (hosts, sites, tokens, methods, lines, smuggling, sizes, paths, queries, bodies)


def all_rows():
    return [Row(f"{family.__name__}: {name}", request, status, code)
            for family in FAMILIES for name, request, status, code in family()]
