package dev.nonbis.bench.abuse;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;

/** Attacks that once ended a server or took it away from others. */
public enum KnownAttack implements Attack {
    NONE("none", 0) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) {}
    },

    REGEX_BOMB("nested counted repetitions in `matches`: in a workflow, in a run's input, in a later step", 3) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) {
            var literal = ",\"when\":\"${'aaa'.matches('" + HostileExpressions.REGEX_BOMB + "')}\"";
            attacker.put("/api/v1/workflows/literal", DrawnAttack.second(literal));
            if (attacker.put(
                    "/api/v1/workflows/computed", DrawnAttack.second(",\"when\":\"${input.s.matches(input.p)}\""))) {
                attacker.post(
                        "/api/v1/workflows/computed/runs",
                        HostileExpressions.run(HostileExpressions.REGEX_BOMB, 1_000));
                attacker.work("job.first");
            }
        }
    },

    NESTED_MAP("six runs at once with a nested `map` over 1,000 items", 6) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) {
            var member = "\"input\":{\"value\":\"${input.xs.map(a, input.xs.map(b, input.xs))}\"}";
            if (attacker.put(
                    "/api/v1/workflows/map", "{\"steps\":[{\"id\":\"only\",\"topic\":\"job.map\"," + member + "}]}")) {
                attacker.post("/api/v1/workflows/map/runs", HostileExpressions.run("a", 1));
            }
        }
    },

    POLLS("300 jobs of 1 MB wait; eight workers poll with `max: 10`, and every ninth poll has `max: 100`", 8) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException {
            var poll = Attacker.poll("job.bulk", random.nextInt(9) == 0 ? 100 : 10);
            attacker.listen(
                    attacker.say(Attacker.head("POST /api/v1/worker/poll", true, poll.length()) + poll),
                    2_000,
                    Long.MAX_VALUE);
        }

        @Override
        void prepare(Attacker attacker) {
            long end = System.nanoTime() + PREPARED_WITHIN.toNanos();
            // One at a time: storing them is not the attack.
            boolean more = true;
            while (more && System.nanoTime() - end < 0) {
                more = attacker.store();
            }
        }
    },

    ANNOUNCED_BODIES("eight sockets without a credential that announce 1 MB and send one byte", 8) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException {
            attacker.listen(
                    attacker.say(Attacker.head("POST /api/v1/jobs", false, 1_000_000) + "{"), 60_000, Long.MAX_VALUE);
        }
    },

    DESCRIPTORS("1,124 connections to a server with 1,024 file descriptors", 1) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException, InterruptedException {
            var sockets = new ArrayList<Socket>();
            try {
                while (sockets.size() < 1_124) {
                    sockets.add(attacker.say(""));
                }
            } finally {
                Thread.sleep(5_000);
                sockets.forEach(attacker::drop);
            }
        }
    };

    private static final Duration PREPARED_WITHIN = Duration.ofMinutes(2);

    private final String words;
    private final int threads;

    KnownAttack(String words, int threads) {
        this.words = words;
        this.threads = threads;
    }

    @Override
    public int threads() {
        return threads;
    }

    /** Does what comes before the attack. */
    void prepare(Attacker attacker) {}

    /** What it does, for a table. */
    public String words() {
        return words;
    }
}
