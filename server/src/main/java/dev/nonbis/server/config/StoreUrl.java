package dev.nonbis.server.config;

import java.nio.file.Path;

/** Which store holds the plane's state. */
public sealed interface StoreUrl {

    /** One file on a local disk, in this process. */
    record Sqlite(Path file) implements StoreUrl {}
}
