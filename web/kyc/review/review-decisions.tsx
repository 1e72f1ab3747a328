import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Check, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Decision, ReviewCase } from '#contract/kyc.ts'
import type { ReviewReasonCode } from '#contract/review-reasons.ts'
import { reasonText } from '#web/i18n/document-words.ts'
import { type DecisionRequest, decide, queueQuery } from '#web/kyc/queries.ts'
import { afterSheets } from '#web/lib/address-sheet.ts'
import { faults, useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

const MAX_REASON = 500

type Words = {
  title: (customer: string) => MessageDescriptor
  description: MessageDescriptor
  confirm: MessageDescriptor
  /** What the toast says once it is done. */
  said: (customer: string) => MessageDescriptor
  /** What reviewers write most often; one touch writes it. */
  reasons: readonly ReviewReasonCode[]
}

const WORDS: Record<Decision, Words> = {
  approve: {
    title: (customer) => msg`Approve ${customer}?`,
    description: msg`We'll let them know right away, and their lower limits end.`,
    confirm: msg`Approve`,
    said: (customer) => msg({ message: `${customer} approved`, comment: 'The customer was approved' }),
    reasons: [],
  },
  again: {
    title: (customer) =>
      msg({ message: `Ask ${customer} for new documents?`, comment: 'Asks the customer for new documents' }),
    description: msg`We'll let them know right away, and they can upload new documents.`,
    confirm: msg`Ask Again`,
    said: (customer) =>
      msg({ message: `${customer} asked for new documents`, comment: 'The customer was asked for new documents' }),
    reasons: ['too_blurry', 'cut_off', 'expired', 'proof_too_old'],
  },
  reject: {
    title: (customer) => msg`Reject ${customer}?`,
    description: msg`We'll let them know right away, and their lower limits stay.`,
    confirm: msg`Reject`,
    said: (customer) => msg({ message: `${customer} rejected`, comment: 'The customer was rejected' }),
    reasons: ['someone_else', 'not_genuine'],
  },
}

/** Approve, ask again or reject; each is confirmed before it is done. */
export function Decisions({ reviewed }: { reviewed: ReviewCase }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState<Decision | null>(null)
  return (
    <div role="group" aria-label={t`Decision`} className="grid gap-2.5 sm:grid-cols-3">
      <Button
        icon={<Check aria-hidden className="size-5" strokeWidth={2.4} />}
        className="sm:order-last"
        onClick={() => setAsking('approve')}
      >
        <Trans>Approve</Trans>
      </Button>
      <Button
        variant="secondary"
        icon={<RotateCcw aria-hidden className="size-5" strokeWidth={2} />}
        className="sm:order-2"
        onClick={() => setAsking('again')}
      >
        <Trans>Ask Again</Trans>
      </Button>
      <Button
        variant="quiet"
        icon={<X aria-hidden className="size-5" strokeWidth={2.2} />}
        className="!text-danger hover:!bg-danger-subtle"
        onClick={() => setAsking('reject')}
      >
        <Trans>Reject</Trans>
      </Button>
      {asking && <Asking reviewed={reviewed} decision={asking} onClose={() => setAsking(null)} />}
    </div>
  )
}

type AskingProps = { reviewed: ReviewCase; decision: Decision; onClose: () => void }

function useDecision({ reviewed, decision, onClose }: AskingProps) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const queries = useQueryClient()
  // What was on the screen when the question was asked: what comes in meanwhile is not decided unseen.
  const [digest] = useState(reviewed.digest)
  /** What was written, where it is one of the reasons that are read in the customer's own language. */
  function codeOf(written: string): { code: ReviewReasonCode } | undefined {
    const code = WORDS[decision].reasons.find((known) => reasonText({ code: known }) === written)
    return code && { code }
  }
  return useForm({
    initial: { reason: '' },
    check: ({ reason }) =>
      faults(
        decision !== 'approve' &&
          reason.trim() === '' && { field: 'reason', code: 'fields_missing', text: t`Enter a reason` },
      ),
    read: ({ reason }): DecisionRequest => ({
      decision,
      digest,
      ...(decision !== 'approve' && { reason: codeOf(reason.trim()) ?? reason.trim() }),
    }),
    send: (content, key) => decide(reviewed.id, content, key),
    loading: () => t`Saving the decision…`,
    success: () => ({ message: t(WORDS[decision].said(reviewed.fullName)) }),
    onRefused: onClose,
    onDone: () => {
      onClose()
      // What was just decided waits no more, even before the bank says so.
      queries.setQueryData(
        queueQuery.queryKey,
        (queue) => queue && { ...queue, cases: queue.cases.filter(({ id }) => id !== reviewed.id) },
      )
      afterSheets(() => void navigate(paths.review, { replace: true }))
    },
  })
}

/** What a decision comes to, and the reason for it where the customer has to do something about it. */
function Asking(props: AskingProps) {
  const { t } = useLingui()
  const { reviewed, decision, onClose } = props
  const form = useDecision(props)
  const words = WORDS[decision]
  const description = t(words.description)
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t(words.title(reviewed.fullName))}
      description={description}
      yes={t(words.confirm)}
      no={t`Decide Later`}
      danger={decision === 'reject'}
      busy={form.busy}
      onYes={() => form.onSubmit()}
    >
      <p>{description}</p>
      {decision !== 'approve' && (
        <>
          <TextArea
            {...form.field('reason')}
            label={t`Reason`}
            maxLength={MAX_REASON}
            hint={t`The customer will see this.`}
          />
          <div role="group" aria-label={t`Common reasons`} className="flex flex-wrap gap-2">
            {words.reasons
              .map((code) => reasonText({ code }))
              .map((text) => (
                <button
                  key={text}
                  type="button"
                  onClick={() => form.set('reason', text)}
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
