package dev.nonbis.core.identity;

import java.util.regex.Pattern;

/**
 * The name of a caller, as audit events, jobs and decisions show it. Spaces, line breaks and characters that change how a line is displayed
 * are not part of the grammar, so that a name always reads as one word. Names that begin with {@code system:} are the server's own.
 */
public final class Subject {

    /** The grammar, for messages to people. */
    public static final String GRAMMAR =
            "1 to 128 visible ASCII characters without spaces, which do not begin with system:";

    private static final String RESERVED = "system:";
    private static final Pattern SHAPE = Pattern.compile("[\\x21-\\x7e]{1,128}");

    private Subject() {}

    /** Whether a credential may carry this name. */
    public static boolean isValid(String name) {
        return SHAPE.matcher(name).matches() && !name.regionMatches(true, 0, RESERVED, 0, RESERVED.length());
    }

    /** The server itself, in the part that does this work. */
    public static String system(String work) {
        return RESERVED + work;
    }
}
