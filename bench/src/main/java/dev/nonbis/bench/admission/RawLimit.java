package dev.nonbis.bench.admission;

import java.io.IOException;
import java.util.OptionalDouble;

/** What the same database takes when nothing is asked of it but to keep one small thing for each request, by its own tool. */
public interface RawLimit {

    /** How many a second, each flushed before it is answered. */
    double perSecond() throws IOException;

    /** Which tool measures what, as in "rows by pgbench". */
    String words();

    /** The part of it that fresh submissions must reach; none where nothing was promised. */
    OptionalDouble promised();
}
