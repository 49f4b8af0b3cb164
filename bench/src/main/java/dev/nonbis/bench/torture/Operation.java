package dev.nonbis.bench.torture;

/** The two operations that take a key, with the path that takes it and the id that it creates. */
enum Operation {
    JOBS("/api/v1/jobs", "/api/v1/jobs", "job_id", "job.submitted"),
    RUNS("/api/v1/workflows/" + Operation.WORKFLOW + "/runs", "/api/v1/runs", "run_id", "run.started");

    static final String WORKFLOW = "torture";

    private final String submitPath;
    private final String objectsPath;
    private final String idMember;
    private final String creatingEvent;

    Operation(String submitPath, String objectsPath, String idMember, String creatingEvent) {
        this.submitPath = submitPath;
        this.objectsPath = objectsPath;
        this.idMember = idMember;
        this.creatingEvent = creatingEvent;
    }

    String submitPath() {
        return submitPath;
    }

    String objectsPath() {
        return objectsPath;
    }

    String idMember() {
        return idMember;
    }

    String creatingEvent() {
        return creatingEvent;
    }
}
