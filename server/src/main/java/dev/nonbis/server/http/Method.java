package dev.nonbis.server.http;

/** The methods that routes are written for. HEAD is served by GET. */
public enum Method {
    GET,
    POST,
    PUT,
    DELETE
}
