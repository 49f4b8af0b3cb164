------------------------------ MODULE Approval ------------------------------
(* Humans decide about a job that waits, again and again, while the clock may expire it and its submitter may cancel it.
   Design "one transaction" is what Decide.decide does. "label first" is a design that was given up, kept to see it fail: the label, the
   decision, the state and the event are four commits, and a repeated approval is recognised by the label. *)
EXTENDS Integers, FiniteSets

CONSTANTS Humans, MaxCalls, Design

VARIABLES
  approval,  \* waiting, closed, or the decision with who made it
  label,     \* approval_granted
  job,       \* the job's state
  events,    \* events of a decision in the log
  pc, call, calls, told

vars == <<approval, label, job, events, pc, call, calls, told>>

Waiting == [is |-> "waiting", by |-> "nobody"]
Kinds == {"approved", "rejected"}

Init ==
  /\ approval = Waiting /\ label = FALSE /\ job = "APPROVAL" /\ events = 0
  /\ pc = [h \in Humans |-> "idle"]
  /\ call = [h \in Humans |-> "approved"]
  /\ calls = [h \in Humans |-> 0]
  /\ told = [h \in Humans |-> {}]

Goto(h, where) == pc' = [pc EXCEPT ![h] = where]
Tell(h, what) == told' = [told EXCEPT ![h] = @ \cup {what}] /\ Goto(h, "idle")

\* Environment: a human decides, again and as he likes.
Call(h) ==
  /\ pc[h] = "idle" /\ calls[h] < MaxCalls
  /\ calls' = [calls EXCEPT ![h] = @ + 1]
  /\ \E kind \in Kinds: call' = [call EXCEPT ![h] = kind]
  /\ Goto(h, "deciding")
  /\ UNCHANGED <<approval, label, job, events, told>>

StateAfter(kind) == IF kind = "approved" THEN "PENDING" ELSE "DENIED"

\* Code: Decide.apply, ApprovalRules.rule. Decision, labels, state and event together; the rules say what a repeated call is told.
Decide(h) ==
  /\ Design = "one transaction" /\ pc[h] = "deciding"
  /\ IF approval.is = "waiting"
     THEN \/ /\ approval' = [is |-> call[h], by |-> h]
             /\ label' = (call[h] = "approved")
             /\ job' = StateAfter(call[h]) /\ events' = events + 1
             /\ Tell(h, approval')
          \* The same, and the answer is lost.
          \/ /\ approval' = [is |-> call[h], by |-> h]
             /\ label' = (call[h] = "approved")
             /\ job' = StateAfter(call[h]) /\ events' = events + 1
             /\ Goto(h, "idle") /\ UNCHANGED told
     ELSE /\ IF approval.is = call[h] THEN Tell(h, approval) ELSE Goto(h, "idle") /\ UNCHANGED told
          /\ UNCHANGED <<approval, label, job, events>>
  /\ UNCHANGED <<call, calls>>

\* Given up: the label in a commit of its own, which also tells a repeated call.
LabelFirst(h) ==
  /\ Design = "label first" /\ pc[h] = "deciding"
  /\ IF call[h] = "approved" /\ label
     THEN Tell(h, [is |-> "approved", by |-> h]) /\ UNCHANGED label
     ELSE /\ label' = (label \/ call[h] = "approved") /\ Goto(h, "labelled") /\ UNCHANGED told
  /\ UNCHANGED <<approval, job, events, call, calls>>

\* Given up: the decision in a commit of its own.
ThenDecision(h) ==
  /\ pc[h] = "labelled"
  /\ IF approval.is = "waiting"
     THEN approval' = [is |-> call[h], by |-> h] /\ Goto(h, "decided")
     ELSE UNCHANGED approval /\ Goto(h, "idle")
  /\ UNCHANGED <<label, job, events, call, calls, told>>

\* Given up: the state and the event in a commit of their own.
ThenState(h) ==
  /\ pc[h] = "decided"
  /\ job' = StateAfter(call[h]) /\ events' = events + 1
  /\ Tell(h, approval)
  /\ UNCHANGED <<approval, label, call, calls>>

\* Environment: the server dies, or the answer is lost.
Crash(h) ==
  /\ pc[h] # "idle" /\ Goto(h, "idle")
  /\ UNCHANGED <<approval, label, job, events, call, calls, told>>

\* Code: ExpireApprovals.runOnce.
Expire ==
  /\ approval.is = "waiting"
  /\ approval' = [is |-> "expired", by |-> "system"] /\ job' = "DENIED" /\ events' = events + 1
  /\ UNCHANGED <<label, pc, call, calls, told>>

\* Code: CancelJob.cancel.
Cancel ==
  /\ job = "APPROVAL" /\ approval.is = "waiting"
  /\ job' = "CANCELLED" /\ approval' = [is |-> "closed", by |-> "nobody"]
  /\ UNCHANGED <<label, events, pc, call, calls, told>>

Next ==
  \/ Expire \/ Cancel
  \/ \E h \in Humans: Call(h) \/ Decide(h) \/ LabelFirst(h) \/ ThenDecision(h) \/ ThenState(h) \/ Crash(h)

Spec == Init /\ [][Next]_vars

LabelAgrees == label <=> approval.is = "approved"
StateAgrees ==
  /\ (approval.is = "waiting") <=> (job = "APPROVAL")
  /\ (approval.is = "approved") <=> (job = "PENDING")
  /\ (approval.is \in {"rejected", "expired"}) <=> (job = "DENIED")
LogAgrees == events = IF approval.is \in {"waiting", "closed"} THEN 0 ELSE 1
OneDecision == \A h \in Humans: \A t \in told[h]: t = approval
=============================================================================
