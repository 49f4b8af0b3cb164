package dev.nonbis.server.config;

import java.nio.file.Path;

/** Where a value was written, so that an error can point at it. */
public sealed interface Place {

    /** Lines and columns count from one. */
    record InFile(Path file, int line, int column) implements Place {
        @Override
        public String toString() {
            return file + ":" + line + ":" + column;
        }
    }

    /** An environment variable. */
    record InEnvironment(String variable) implements Place {
        @Override
        public String toString() {
            return "environment " + variable;
        }
    }

    /** Written nowhere: the value is missing, or the default is not enough. */
    record Nowhere() implements Place {
        @Override
        public String toString() {
            return "configuration";
        }
    }
}
