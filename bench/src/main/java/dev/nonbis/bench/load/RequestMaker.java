package dev.nonbis.bench.load;

import java.nio.ByteBuffer;

/** Makes a phase's requests, one after another, on the generator's single thread. */
@FunctionalInterface
public interface RequestMaker {

    /** Puts one whole request, head and body, into the empty buffer. */
    void next(ByteBuffer into);
}
