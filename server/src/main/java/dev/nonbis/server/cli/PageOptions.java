package dev.nonbis.server.cli;

import dev.nonbis.client.Query;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which part of a list. */
final class PageOptions {

    @Option(names = "--after", paramLabel = "CURSOR", description = "Continue behind this place.")
    private Optional<String> after = Optional.empty();

    @Option(names = "--limit", paramLabel = "N", description = "At most this many.")
    private Optional<Integer> limit = Optional.empty();

    Query addTo(Query query) {
        return query.and("after", after).and("limit", limit.map(String::valueOf));
    }
}
