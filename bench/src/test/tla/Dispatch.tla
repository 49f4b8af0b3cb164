------------------------------ MODULE Dispatch ------------------------------
(* One job on its way to a worker and back, over a broker that loses and repeats, with servers and workers that die.
   Design "state first" is what Dispatch, Publishing, Reconcile, StartJob and RecordResult do. The others leave out one part each and are
   kept to see them fail: "publish first", "blind rollback", "no fence". *)
EXTENDS Integers, FiniteSets

CONSTANTS Servers, Workers, MaxExecution, MaxIntent, Design

VARIABLES
  state, execution,
  intent, published,  \* the newest dispatch intent, and whether the broker is known to have it
  promised,           \* executions that a DISPATCHED write was made for
  broker,             \* executions whose message the broker has
  sent,               \* executions whose message was ever sent
  server,             \* what each server has begun
  worker,             \* what each worker has
  claim,              \* who started the newest execution that was started
  started,            \* how many workers were told "started", by execution
  results             \* executions whose result was accepted

vars == <<state, execution, intent, published, promised, broker, sent, server, worker, claim, started, results>>

Executions == 1..MaxExecution
Idle == [is |-> "idle", intent |-> 0, execution |-> 0]
Terminal == {"SUCCEEDED", "CANCELLED"}

Init ==
  /\ state = "PENDING" /\ execution = 1 /\ intent = 0 /\ published = FALSE
  /\ promised = {} /\ broker = {} /\ sent = {}
  /\ server = [s \in Servers |-> Idle]
  /\ worker = [w \in Workers |-> [is |-> "idle", execution |-> 0]]
  /\ claim = "nobody" /\ started = [e \in Executions |-> 0] /\ results = {}

Begin(s, what, number) == server' = [server EXCEPT ![s] = [is |-> what, intent |-> number, execution |-> execution]]
Rest(s) == server' = [server EXCEPT ![s] = Idle]
Step(s, what) == server' = [server EXCEPT ![s].is = what]

\* Code: Dispatch.dispatch. DISPATCHED and the intent in one write, before anything is published.
DispatchWrite(s) ==
  /\ server[s] = Idle /\ state \in {"PENDING", "SCHEDULED"} /\ intent < MaxIntent
  /\ state' = "DISPATCHED" /\ intent' = intent + 1 /\ published' = FALSE
  /\ promised' = promised \cup {execution}
  /\ Begin(s, "publishing", intent + 1)
  /\ UNCHANGED <<execution, broker, sent, worker, claim, started, results>>

\* Given up: the message goes out before the state says so.
PublishFirst(s) ==
  /\ Design = "publish first" /\ server[s] = Idle /\ state \in {"PENDING", "SCHEDULED"}
  /\ broker' = broker \cup {execution} /\ sent' = sent \cup {execution}
  /\ UNCHANGED <<state, execution, intent, published, promised, server, worker, claim, started, results>>

\* Code: Publishing.publish, where the bus has taken the message.
PublishSucceeds(s) ==
  /\ server[s].is = "publishing"
  /\ broker' = broker \cup {server[s].execution} /\ sent' = sent \cup {server[s].execution}
  /\ Step(s, "confirming")
  /\ UNCHANGED <<state, execution, intent, published, promised, worker, claim, started, results>>

\* Code: Publishing.publish, where the bus failed; it may have the message all the same.
PublishFails(s) ==
  /\ server[s].is = "publishing"
  /\ \/ UNCHANGED <<broker, sent>>
     \/ broker' = broker \cup {server[s].execution} /\ sent' = sent \cup {server[s].execution}
  /\ Step(s, "rolling back")
  /\ UNCHANGED <<state, execution, intent, published, promised, worker, claim, started, results>>

StillOwed(s) == state = "DISPATCHED" /\ intent = server[s].intent

\* Code: Publishing.confirm.
Confirm(s) ==
  /\ server[s].is = "confirming"
  /\ published' = (published \/ StillOwed(s))
  /\ Rest(s)
  /\ UNCHANGED <<state, execution, intent, promised, broker, sent, worker, claim, started, results>>

\* Code: Publishing.rollBack. It compares the intent; the blind one writes back what it remembers.
RollBack(s) ==
  /\ server[s].is = "rolling back"
  /\ IF Design = "blind rollback"
     THEN state' = IF state \in Terminal THEN state ELSE "SCHEDULED"
     ELSE state' = IF StillOwed(s) /\ ~published THEN "SCHEDULED" ELSE state
  /\ Rest(s)
  /\ UNCHANGED <<execution, intent, published, promised, broker, sent, worker, claim, started, results>>

\* Code: Reconcile.settle, by ReconcileRules.rule: the intent of a server that went silent is taken over.
TakeOver(s) ==
  /\ server[s] = Idle /\ state = "DISPATCHED" /\ ~published /\ intent < MaxIntent
  /\ intent' = intent + 1
  /\ Begin(s, "publishing", intent + 1)
  /\ UNCHANGED <<state, execution, published, promised, broker, sent, worker, claim, started, results>>

\* Code: Reconcile.settle, by ReconcileRules.rule: not started in time, or its worker went silent.
Requeue ==
  /\ execution < MaxExecution
  /\ (state = "DISPATCHED" /\ published) \/ state = "RUNNING"
  /\ state' = "SCHEDULED" /\ execution' = execution + 1 /\ published' = FALSE
  /\ UNCHANGED <<intent, promised, broker, sent, server, worker, claim, started, results>>

\* Environment: a server dies.
CrashServer(s) ==
  /\ server[s] # Idle /\ Rest(s)
  /\ UNCHANGED <<state, execution, intent, published, promised, broker, sent, worker, claim, started, results>>

\* Environment: the broker loses a message.
BrokerLoses(e) ==
  /\ e \in broker /\ broker' = broker \ {e}
  /\ UNCHANGED <<state, execution, intent, published, promised, sent, server, worker, claim, started, results>>

\* Code: PollWork.poll. A message stays after it was delivered, so that it can be delivered again.
Deliver(w, e) ==
  /\ worker[w].is = "idle" /\ e \in broker
  /\ worker' = [worker EXCEPT ![w] = [is |-> "has", execution |-> e]]
  /\ UNCHANGED <<state, execution, intent, published, promised, broker, sent, server, claim, started, results>>

\* Code: StartJob.start.
Start(w) ==
  /\ worker[w].is = "has"
  /\ IF state = "DISPATCHED" /\ (worker[w].execution = execution \/ Design = "no fence")
     THEN /\ state' = "RUNNING" /\ published' = TRUE /\ claim' = w
          /\ started' = [started EXCEPT ![worker[w].execution] = @ + 1]
          /\ worker' = [worker EXCEPT ![w].is = "running"]
     ELSE /\ worker' = [worker EXCEPT ![w] = [is |-> "idle", execution |-> 0]]
          /\ UNCHANGED <<state, published, claim, started>>
  /\ UNCHANGED <<execution, intent, promised, broker, sent, server, results>>

\* Code: RecordResult.record; the worker may say it again.
Report(w) ==
  /\ worker[w].is = "running"
  /\ IF state = "RUNNING" /\ ((worker[w].execution = execution /\ claim = w) \/ Design = "no fence")
     THEN state' = "SUCCEEDED" /\ results' = results \cup {worker[w].execution}
     ELSE UNCHANGED <<state, results>>
  /\ \/ worker' = [worker EXCEPT ![w] = [is |-> "idle", execution |-> 0]]
     \/ UNCHANGED worker
  /\ UNCHANGED <<execution, intent, published, promised, broker, sent, server, claim, started>>

\* Environment: a worker dies.
WorkerDies(w) ==
  /\ worker[w].is # "idle"
  /\ worker' = [worker EXCEPT ![w] = [is |-> "idle", execution |-> 0]]
  /\ UNCHANGED <<state, execution, intent, published, promised, broker, sent, server, claim, started, results>>

\* Code: CancelJob.cancel.
Cancel ==
  /\ state \notin Terminal /\ state' = "CANCELLED"
  /\ UNCHANGED <<execution, intent, published, promised, broker, sent, server, worker, claim, started, results>>

Next ==
  \/ Requeue \/ Cancel
  \/ \E s \in Servers: DispatchWrite(s) \/ PublishFirst(s) \/ PublishSucceeds(s) \/ PublishFails(s) \/ Confirm(s) \/ RollBack(s)
                       \/ TakeOver(s) \/ CrashServer(s)
  \/ \E e \in Executions: BrokerLoses(e) \/ \E w \in Workers: Deliver(w, e)
  \/ \E w \in Workers: Start(w) \/ Report(w) \/ WorkerDies(w)

Spec == Init /\ [][Next]_vars

NothingUnpromised == sent \subseteq promised
OneHolder == \A e \in Executions: started[e] <= 1
OneResult == Cardinality(results) <= 1
FromTheHighestFence == \A e \in results: \A f \in Executions: started[f] > 0 => f <= e
EndsAreKept == results # {} => state = "SUCCEEDED"
=============================================================================
