package dev.nonbis.server.store.redis;

/** How far one script reaches: on a single server over everything, on a cluster only over keys with one hash tag, which is an owner's. */
enum RedisReach {
    EVERYTHING("3") {
        @Override
        String realm(String owner) {
            return "nonbis";
        }
    },
    ONE_OWNER("3-by-owner") {
        @Override
        String realm(String owner) {
            return RedisKeys.tagged(owner);
        }
    };

    private final String format;

    RedisReach(String format) {
        this.format = format;
    }

    /** How the layout is called; raised when servers of the version before can no longer work on what is written. */
    String format() {
        return format;
    }

    /** What the names begin with of all that is committed, and seen in one state, together with this owner's rows. */
    abstract String realm(String owner);
}
