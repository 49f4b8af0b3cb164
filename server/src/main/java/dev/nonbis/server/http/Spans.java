package dev.nonbis.server.http;

/** Writes down each request as a span of a trace. */
@FunctionalInterface
public interface Spans {

    /** Writes nothing, and costs nothing. */
    Spans NONE = (route, request) -> Ongoing.UNWRITTEN;

    Ongoing begin(Route route, Request request);

    /** A request that is being answered. */
    interface Ongoing {

        Ongoing UNWRITTEN = new Ongoing() {
            @Override
            public Request within(Request request) {
                return request;
            }

            @Override
            public void end(Response response) {}
        };

        /** The request as a part of this span: what it makes goes under it. */
        Request within(Request request);

        void end(Response response);
    }
}
