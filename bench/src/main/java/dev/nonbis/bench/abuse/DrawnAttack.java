package dev.nonbis.bench.abuse;

import static java.util.Collections.nCopies;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Attacks whose every strike is drawn from a grammar by a seed. */
public enum DrawnAttack implements Attack {

    /** Expressions and patterns in workflows, evaluated when a run starts or when a later step is reached. */
    EXPRESSIONS(6) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) {
            var hostile = new HostileExpressions(random);
            var workflow = "/api/v1/workflows/hostile-" + random.nextInt(1_000);
            var member = random.nextBoolean()
                    ? ",\"when\":\"" + hostile.draw() + "\""
                    : ",\"input\":{\"value\":\"" + hostile.draw() + "\"}";
            boolean later = random.nextBoolean();
            if (attacker.put(workflow, later ? second(member) : "{\"steps\":[{" + FIRST + member + "}]}")) {
                for (int i = 0; i < 3; i++) {
                    attacker.post(workflow + "/runs", hostile.run());
                }
                if (later) {
                    attacker.work("job.first");
                }
            }
        }
    },

    /** Bodies that are large, deep, slow, or announced and never sent. */
    BODIES(16) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException, InterruptedException {
            boolean signed = random.nextInt(3) > 0;
            switch (random.nextInt(14)) {
                case 0 -> attacker.store();
                case 1 -> attacker.post("/api/v1/jobs", job("\"" + "x".repeat(1 << 20) + "\""));
                case 2 -> {
                    int depth = List.of(60, 64, 1_000, 400_000).get(random.nextInt(4));
                    attacker.post("/api/v1/jobs", job("[".repeat(depth) + "]".repeat(depth)));
                }
                case 3 -> attacker.post("/api/v1/jobs", job(members(1 + random.nextInt(80_000))));
                case 4 -> attacker.post("/api/v1/jobs", job(list("[]", 1 + random.nextInt(340_000))));
                case 5 -> attacker.post("/api/v1/jobs", job(random.nextBoolean() ? "1".repeat(900_000) : escapes()));
                case 6, 7 -> {
                    var slow = attacker.say(Attacker.head("POST /api/v1/jobs", signed, 1_000_000));
                    for (int i = 0; i < 30; i++) {
                        Attacker.write(slow, " ");
                        Thread.sleep(100);
                    }
                    attacker.drop(slow);
                }
                case 8 ->
                    attacker.listen(
                            attacker.say(Attacker.head("POST /api/v1/jobs", signed, -1) + "1\r\n \r\n".repeat(100_000)),
                            1 + random.nextInt(2_000),
                            LITTLE);
                default ->
                    attacker.listen(
                            attacker.say(Attacker.head("POST /api/v1/jobs", signed, 1_000_000) + "{"),
                            1 + random.nextInt(20_000),
                            LITTLE);
            }
        }
    },

    /** Very many connections that say nothing, half a request, or much while they never read; and listeners that vanish. */
    CONNECTIONS(4) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException, InterruptedException {
            int kind = random.nextInt(6);
            var words = switch (kind) {
                case 0 -> "";
                case 1 -> "POST /api/v1/jo";
                case 2 -> "GET /livez HTTP/1.1\r\nHost: nonbis\r\nX-Half: ";
                case 3 -> "GET /openapi.json HTTP/1.1\r\nHost: nonbis\r\n\r\n".repeat(40);
                case 4 -> attacker.get("/api/v1/events?after=0");
                default -> "\u0016\u0003\u0001\u0002\u0000\u0001".repeat(50);
            };
            var sockets = new ArrayList<Socket>();
            try {
                for (int left = 1 + random.nextInt(400); left > 0; left--) {
                    sockets.add(attacker.say(words));
                }
                Thread.sleep(random.nextInt(3_000));
            } finally {
                for (var socket : sockets) {
                    if (random.nextBoolean()) {
                        attacker.vanish(socket);
                    } else {
                        attacker.drop(socket);
                    }
                }
            }
        }
    },

    /** Workers that ask for as much large work as there is, and do none of it. */
    POLLS(8) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException, InterruptedException {
            if (random.nextBoolean() && attacker.store()) {
                return;
            }
            var poll = Attacker.poll("job.bulk", 1 + random.nextInt(100));
            read(attacker, attacker.say(Attacker.head("POST /api/v1/worker/poll", true, poll.length()) + poll), random);
        }
    },

    /** Pages of everything, as large as they may be, over rows that are as large as they may be. */
    PAGES(8) {
        @Override
        public void strike(Attacker attacker, SplittableRandom random) throws IOException, InterruptedException {
            if (random.nextInt(3) == 0 && attacker.store()) {
                return;
            }
            var path = LISTS.get(random.nextInt(LISTS.size())).replace("{job}", attacker.anyId(random));
            read(attacker, attacker.say(attacker.get(path)), random);
        }
    };

    private static final String FIRST = "\"id\":\"first\",\"topic\":\"job.first\"";
    private static final long LITTLE = 1_000;
    private static final List<String> LISTS = List.of(
            "/api/v1/jobs?limit=1000",
            "/api/v1/jobs?limit=1000&state=DISPATCHED",
            "/api/v1/jobs?limit=1000&topic=job.none",
            "/api/v1/jobs/{job}",
            "/api/v1/jobs/{job}/timeline",
            "/api/v1/runs?limit=1000",
            "/api/v1/workflows?limit=1000",
            "/api/v1/approvals?limit=1000",
            "/api/v1/dlq?limit=1000",
            "/v1/payment-requests?limit=1000",
            "/api/v1/audit?limit=1000",
            "/api/v1/events?after=0",
            "/",
            "/jobs",
            "/jobs/{job}",
            "/runs",
            "/approvals",
            "/audit",
            "/topics",
            "/stuck",
            "/dead-letters");

    private final int threads;

    DrawnAttack(int threads) {
        this.threads = threads;
    }

    @Override
    public int threads() {
        return threads;
    }

    /** A workflow whose second step has this member. */
    static String second(String member) {
        return "{\"steps\":[{" + FIRST + "},{\"id\":\"second\",\"topic\":\"job.second\",\"needs\":[\"first\"]" + member
                + "}]}";
    }

    private static String job(String value) {
        return "{\"topic\":\"job.hostile\",\"input\":{\"value\":" + value + "}}";
    }

    private static String list(String item, int times) {
        return "[" + String.join(",", nCopies(times, item)) + "]";
    }

    private static String members(int count) {
        var all = new StringBuilder("{");
        for (int i = 0; i < count; i++) {
            all.append(i == 0 ? "" : ",").append("\"m").append(i).append("\":0");
        }
        return all.append("}").toString();
    }

    private static String escapes() {
        return "\"" + "\\u0061".repeat(150_000) + "\"";
    }

    /** To the end, or only the beginning, or nothing for a while. */
    private static void read(Attacker attacker, Socket socket, SplittableRandom random)
            throws IOException, InterruptedException {
        switch (random.nextInt(4)) {
            case 0 -> attacker.listen(socket, 500, LITTLE);
            case 1 -> {
                Thread.sleep(random.nextInt(2_000));
                attacker.vanish(socket);
            }
            default -> attacker.listen(socket, 500, Long.MAX_VALUE);
        }
    }
}
