import { useQueryClient } from '@tanstack/react-query'
import { Check, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Decision, ReviewCase } from '#contract/kyc.ts'
import { errorText } from '#web/i18n/words.ts'
import { type DecisionRequest, decide, queueQuery } from '#web/kyc/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

const MAX_REASON = 500

type Words = {
  title: (name: string) => string
  description: string
  confirm: string
  said: (name: string) => string
  /** What reviewers write most often; one touch writes it. */
  reasons: readonly string[]
}

const WORDS: Record<Decision, Words> = {
  approve: {
    title: (name) => `Approve ${name}?`,
    description: 'They are told at once, and the lower limits end.',
    confirm: 'Approve',
    said: (name) => `${name} approved`,
    reasons: [],
  },
  again: {
    title: (name) => `Ask ${name} again?`,
    description: 'They are told at once, and can upload new documents.',
    confirm: 'Ask Again',
    said: (name) => `${name} asked again`,
    reasons: [
      'The photo is too blurred to read.',
      'Part of the document is cut off.',
      'The document has expired.',
      'The proof of address is older than three months.',
    ],
  },
  reject: {
    title: (name) => `Reject ${name}?`,
    description: 'They are told at once, and the lower limits stay.',
    confirm: 'Reject',
    said: (name) => `${name} rejected`,
    reasons: ['The documents belong to somebody else.', 'The document is not genuine.'],
  },
}

/** Approve, ask again or reject; each is confirmed before it is done. */
export function Decisions({ reviewed }: { reviewed: ReviewCase }) {
  const [asking, setAsking] = useState<Decision | null>(null)
  return (
    <div role="group" aria-label="Decision" className="grid gap-2.5 sm:grid-cols-3">
      <Button
        icon={<Check aria-hidden className="size-5" strokeWidth={2.4} />}
        className="sm:order-last"
        onClick={() => setAsking('approve')}
      >
        Approve
      </Button>
      <Button
        variant="secondary"
        icon={<RotateCcw aria-hidden className="size-5" strokeWidth={2} />}
        className="sm:order-2"
        onClick={() => setAsking('again')}
      >
        Ask Again
      </Button>
      <Button
        variant="quiet"
        icon={<X aria-hidden className="size-5" strokeWidth={2.2} />}
        className="!text-danger hover:!bg-danger-subtle"
        onClick={() => setAsking('reject')}
      >
        Reject
      </Button>
      {asking && <Asking reviewed={reviewed} decision={asking} onClose={() => setAsking(null)} />}
    </div>
  )
}

type AskingProps = { reviewed: ReviewCase; decision: Decision; onClose: () => void }

function useDecision({ reviewed, decision, onClose }: AskingProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  // What was on the screen when the question was asked: what comes in meanwhile is not decided unseen.
  const [digest] = useState(reviewed.digest)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const { submit, showError, busy } = useSubmission({
    send: (content: DecisionRequest, key) => decide(reviewed.id, content, key),
    loading: () => 'Saving the decision…',
    success: () => ({ message: WORDS[decision].said(reviewed.fullName) }),
  })
  async function confirm(): Promise<void> {
    const written = reason.trim()
    if (decision !== 'approve' && written === '') {
      setMissing(true)
      showError('fields_missing')
      return
    }
    const response = await submit({ decision, digest, ...(decision !== 'approve' && { reason: written }) })
    onClose()
    if (!response) return
    // What was just decided waits no more, even before the bank says so.
    queries.setQueryData(
      queueQuery.queryKey,
      (queue) => queue && { ...queue, cases: queue.cases.filter(({ id }) => id !== reviewed.id) },
    )
    void navigate(paths.review, { replace: true })
  }
  function write(text: string): void {
    setReason(text)
    setMissing(false)
  }
  return { reason, missing, busy, confirm, write }
}

/** What a decision comes to, and the reason for it where the customer has to do something about it. */
function Asking(props: AskingProps) {
  const { reviewed, decision, onClose } = props
  const { reason, missing, busy, confirm, write } = useDecision(props)
  const words = WORDS[decision]
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={words.title(reviewed.fullName)}
      description={words.description}
      yes={words.confirm}
      no="Decide Later"
      danger={decision === 'reject'}
      busy={busy}
      onYes={() => void confirm()}
    >
      <p>{words.description}</p>
      {decision !== 'approve' && (
        <>
          <TextArea
            label="Reason"
            value={reason}
            maxLength={MAX_REASON}
            error={missing ? errorText('fields_missing') : undefined}
            hint="The customer reads this."
            onChange={(event) => write(event.currentTarget.value)}
          />
          <div role="group" aria-label="Frequent reasons" className="flex flex-wrap gap-2">
            {words.reasons.map((text) => (
              <button
                key={text}
                type="button"
                onClick={() => write(text)}
                className="min-h-11 rounded-2xl border border-line bg-surface px-3.5 py-2 text-start text-sm text-ink transition-colors hover:bg-muted"
              >
                {text}
              </button>
            ))}
          </div>
        </>
      )}
    </Confirm>
  )
}
