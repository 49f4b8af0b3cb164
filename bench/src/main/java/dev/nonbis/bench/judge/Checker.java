package dev.nonbis.bench.judge;

import java.util.List;

/** Judges one guarantee. */
interface Checker {

    List<Violation> check(History history, Export export, Promises promises);
}
