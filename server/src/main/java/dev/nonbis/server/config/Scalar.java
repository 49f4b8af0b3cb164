package dev.nonbis.server.config;

import java.nio.file.Path;

/** A value as it was written. {@code base} is the directory that relative paths in it start from. */
record Scalar(String text, Place place, Path base) {

    Path path(String relative) {
        return base.resolve(relative).normalize();
    }
}
