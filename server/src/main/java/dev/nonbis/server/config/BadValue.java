package dev.nonbis.server.config;

/** A value's reader refuses it; caught where entries are read, which adds the place and the entry. */
final class BadValue extends Exception {

    private static final long serialVersionUID = 1L;

    BadValue(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
