----------------------------- MODULE Admission -----------------------------
(* Requests to start a run under a key, sent again whenever the answer is lost, to servers that may die at any step.
   Design "one transaction" is what Once.settle and StartRun.admit do. The others are designs that were given up, kept to see them fail:
   "reserve first" reserves the key, checks, creates and records in four commits; "free on failure" also frees the key whenever the
   caller saw no success. *)
EXTENDS Integers, FiniteSets

CONSTANTS Clients, Keys, Bodies, Limit, MaxTries, Design

VARIABLES
  request,   \* what each client wants: a key and a body
  pc,        \* where each client's attempt is
  tries,     \* how often each client has sent it
  reply,     \* what the server is about to say
  heard,     \* what each client was told
  key,       \* the row of each key
  effects,   \* how many runs each key has made
  active,    \* runs that have not ended
  made       \* runs so far; the next one's name

vars == <<request, pc, tries, reply, heard, key, effects, active, made>>

Free == [is |-> "free"]
Reserved(c) == [is |-> "reserved", by |-> c]
Settled(b, run) == [is |-> "settled", body |-> b, run |-> run]

K(c) == request[c].key
B(c) == request[c].body

Init ==
  /\ request \in [Clients -> [key: Keys, body: Bodies]]
  /\ pc = [c \in Clients |-> "idle"]
  /\ tries = [c \in Clients |-> 0]
  /\ reply = [c \in Clients |-> [says |-> "nothing"]]
  /\ heard = [c \in Clients |-> {}]
  /\ key = [k \in Keys |-> Free]
  /\ effects = [k \in Keys |-> 0]
  /\ active = 0
  /\ made = 0

Say(c, what) == reply' = [reply EXCEPT ![c] = what] /\ pc' = [pc EXCEPT ![c] = "replying"]
Goto(c, where) == pc' = [pc EXCEPT ![c] = where]

\* The answer to a repeated request (Once.repeat); a part of Admit and Reserve.
Repeat(c) ==
  IF key[K(c)].body = B(c)
  THEN Say(c, [says |-> "made", run |-> key[K(c)].run])
  ELSE Say(c, [says |-> "mismatch"])

\* Environment: a client sends its request, for the first time or again.
Send(c) ==
  /\ pc[c] = "idle" /\ tries[c] < MaxTries
  /\ tries' = [tries EXCEPT ![c] = @ + 1]
  /\ Goto(c, "arrived")
  /\ UNCHANGED <<request, reply, heard, key, effects, active, made>>

\* Code: Once.settle, StartRun.admit. Look at the key, check the limit, create and record, all in one step.
Admit(c) ==
  /\ Design = "one transaction" /\ pc[c] = "arrived"
  /\ IF key[K(c)].is = "settled"
     THEN Repeat(c) /\ UNCHANGED <<key, effects, active, made>>
     ELSE IF active >= Limit
     THEN Say(c, [says |-> "full"]) /\ UNCHANGED <<key, effects, active, made>>
     ELSE /\ key' = [key EXCEPT ![K(c)] = Settled(B(c), made)]
          /\ effects' = [effects EXCEPT ![K(c)] = @ + 1]
          /\ active' = active + 1 /\ made' = made + 1
          /\ Say(c, [says |-> "made", run |-> made])
  /\ UNCHANGED <<request, tries, heard>>

\* Given up: the key is reserved in a commit of its own.
Reserve(c) ==
  /\ Design # "one transaction" /\ pc[c] = "arrived"
  /\ CASE key[K(c)].is = "settled" -> Repeat(c) /\ UNCHANGED key
       [] key[K(c)].is = "reserved" -> Say(c, [says |-> "in progress"]) /\ UNCHANGED key
       [] OTHER -> key' = [key EXCEPT ![K(c)] = Reserved(c)] /\ Goto(c, "reserved") /\ UNCHANGED reply
  /\ UNCHANGED <<request, tries, heard, effects, active, made>>

\* Given up: the limit is checked after that commit.
Check(c) ==
  /\ pc[c] = "reserved"
  /\ Goto(c, IF active >= Limit THEN "releasing" ELSE "creating")
  /\ UNCHANGED <<request, tries, reply, heard, key, effects, active, made>>

\* Given up: the run is created in a commit of its own.
Create(c) ==
  /\ pc[c] = "creating"
  /\ effects' = [effects EXCEPT ![K(c)] = @ + 1]
  /\ active' = active + 1 /\ made' = made + 1
  /\ reply' = [reply EXCEPT ![c] = [says |-> "made", run |-> made]]
  /\ Goto(c, "recording")
  /\ UNCHANGED <<request, tries, heard, key>>

\* Given up: the answer is recorded in a commit of its own.
Record(c) ==
  /\ pc[c] = "recording"
  /\ key' = [key EXCEPT ![K(c)] = Settled(B(c), reply[c].run)]
  /\ Goto(c, "replying")
  /\ UNCHANGED <<request, tries, reply, heard, effects, active, made>>

\* Given up: the clean-up of a refused request.
Release(c) ==
  /\ pc[c] = "releasing"
  /\ key' = [key EXCEPT ![K(c)] = Free]
  /\ Say(c, [says |-> "full"])
  /\ UNCHANGED <<request, tries, heard, effects, active, made>>

\* Environment: the server dies, or the answer is lost; the client knows nothing and may send again.
Lose(c) ==
  /\ pc[c] \notin {"idle", "done"}
  /\ Goto(c, "idle")
  /\ key' = IF Design = "free on failure" THEN [key EXCEPT ![K(c)] = Free] ELSE key
  /\ UNCHANGED <<request, tries, reply, heard, effects, active, made>>

\* Environment: the answer reaches the client.
Hear(c) ==
  /\ pc[c] = "replying"
  /\ heard' = [heard EXCEPT ![c] = @ \cup {reply[c]}]
  /\ pc' = [pc EXCEPT ![c] = "idle"]
  /\ UNCHANGED <<request, tries, reply, key, effects, active, made>>

\* Code: RunSteps.end.
EndRun ==
  /\ active > 0 /\ active' = active - 1
  /\ UNCHANGED <<request, pc, tries, reply, heard, key, effects, made>>

Next ==
  \/ EndRun
  \/ \E c \in Clients: Send(c) \/ Admit(c) \/ Reserve(c) \/ Check(c) \/ Create(c) \/ Record(c) \/ Release(c) \/ Lose(c) \/ Hear(c)

Spec == Init /\ [][Next]_vars

OneEffect == \A k \in Keys: effects[k] <= 1
WithinLimit == active <= Limit
SameAnswer ==
  \A c, d \in Clients: \A a \in heard[c], b \in heard[d]:
    (K(c) = K(d) /\ a.says = "made" /\ b.says = "made") => a.run = b.run
NoStuckKey ==
  \A k \in Keys: key[k].is = "reserved" => pc[key[k].by] \in {"reserved", "creating", "recording", "releasing"}
AnswersAreTrue ==
  \A c \in Clients: \A a \in heard[c]: a.says = "made" => key[K(c)].is = "settled" /\ key[K(c)].run = a.run
=============================================================================
