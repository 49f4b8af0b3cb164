package dev.nonbis.core.job;

import java.util.Optional;

/** The rule for topics: they are subjects of the bus below {@code job.}. */
public final class Topic {

    private static final String ROOT = "job.";
    private static final int MAX_LENGTH = 128;

    private Topic() {}

    /** What is wrong with the text as a topic; empty when it is one. */
    public static Optional<String> complaint(String text) {
        return isTopic(text)
                ? Optional.empty()
                : Optional.of("must be job. followed by words of letters, digits, _ and - joined by dots, at most "
                        + MAX_LENGTH + " characters");
    }

    private static boolean isTopic(String text) {
        if (text.length() > MAX_LENGTH || !text.startsWith(ROOT)) {
            return false;
        }
        boolean inWord = false;
        for (int i = ROOT.length(); i < text.length(); i++) {
            char c = text.charAt(i);
            if (isWordCharacter(c)) {
                inWord = true;
            } else if (c == '.' && inWord) {
                inWord = false;
            } else {
                return false;
            }
        }
        return inWord;
    }

    private static boolean isWordCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }
}
