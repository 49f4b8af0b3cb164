package dev.nonbis.bench.measure;

import dev.nonbis.bench.load.LoadResult;

/** The server answered something that the phase does not allow, so that its figures mean nothing. */
public final class WrongAnswers extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private WrongAnswers(String message) {
        super(message);
    }

    /** Returns the result if every answer was right. */
    static LoadResult none(LoadResult result) {
        if (result.wrong().count() > 0) {
            throw new WrongAnswers("%d of %d answers in phase %s were wrong; the first:%n  %s"
                    .formatted(
                            result.wrong().count(),
                            result.operations(),
                            result.phase(),
                            String.join("\n  ", result.wrong().first())));
        }
        return result;
    }
}
