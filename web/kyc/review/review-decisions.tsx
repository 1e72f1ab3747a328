import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Check, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Decision, ReviewCase } from '#contract/kyc.ts'
import type { ReviewReasonCode } from '#contract/review-reasons.ts'
import { kycReasonText } from '#web/i18n/document-words.ts'
import { type CaseDecisionBody, decideCase, queueQuery } from '#web/kyc/queries.ts'
import { navigateAfterSheets } from '#web/lib/address-sheet.ts'
import { formErrors, useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

const MAX_REASON = 500

type DecisionTexts = {
  title: (customer: string) => MessageDescriptor
  description: MessageDescriptor
  confirm: MessageDescriptor
  /** Returns the text of the toast after the decision. */
  doneText: (customer: string) => MessageDescriptor
  /** The most common reasons. A press fills the text field with one. */
  reasons: readonly ReviewReasonCode[]
}

const DECISION_TEXTS: Record<Decision, DecisionTexts> = {
  approve: {
    title: (customer) => msg`Approve ${customer}?`,
    description: msg`We'll let them know right away and lift their lower limits.`,
    confirm: msg`Approve`,
    doneText: (customer) => msg({ message: `${customer} approved`, comment: 'The customer was approved' }),
    reasons: [],
  },
  again: {
    title: (customer) =>
      msg({ message: `Ask ${customer} for new documents?`, comment: 'Requests new documents from {customer}' }),
    description: msg`We'll let them know right away, and they can upload new documents.`,
    confirm: msg`Ask Again`,
    doneText: (customer) =>
      msg({ message: `New documents requested from ${customer}`, comment: 'The customer was asked for new documents' }),
    reasons: ['too_blurry', 'cut_off', 'expired', 'proof_too_old'],
  },
  reject: {
    title: (customer) => msg`Reject ${customer}?`,
    description: msg`We'll let them know right away, and their lower limits stay in place.`,
    confirm: msg`Reject`,
    doneText: (customer) => msg({ message: `${customer} rejected`, comment: 'The customer was rejected' }),
    reasons: ['someone_else', 'not_genuine'],
  },
}

/** Shows the buttons to approve, ask again and reject. Each decision needs a confirmation. */
export function Decisions({ reviewed }: { reviewed: ReviewCase }) {
  const { t } = useLingui()
  const [pendingDecision, setAsking] = useState<Decision | null>(null)
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
      {pendingDecision && <Asking reviewed={reviewed} decision={pendingDecision} onClose={() => setAsking(null)} />}
    </div>
  )
}

type AskingProps = { reviewed: ReviewCase; decision: Decision; onClose: () => void }

function useDecision({ reviewed, decision, onClose }: AskingProps) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const queries = useQueryClient()
  // The digest of the case as shown when the dialog opened. The bank refuses the decision if the case has changed since.
  const [digest] = useState(reviewed.digest)
  /**
   * Returns the code of a standard reason, which the customer reads in their own language. Returns undefined for another text.
   */
  function codeOf(text: string): { code: ReviewReasonCode } | undefined {
    const code = DECISION_TEXTS[decision].reasons.find((reasonCode) => kycReasonText({ code: reasonCode }) === text)
    return code && { code }
  }
  return useForm({
    initial: { reason: '' },
    check: ({ reason }) =>
      formErrors(
        decision !== 'approve' &&
          reason.trim() === '' && { field: 'reason', code: 'fields_missing', text: t`Enter a reason` },
      ),
    read: ({ reason }): CaseDecisionBody => ({
      decision,
      digest,
      ...(decision !== 'approve' && { reason: codeOf(reason.trim()) ?? reason.trim() }),
    }),
    send: (content, key) => decideCase(reviewed.id, content, key),
    loading: () => t`Saving the decision…`,
    success: () => ({ message: t(DECISION_TEXTS[decision].doneText(reviewed.fullName)) }),
    onRefused: onClose,
    onDone: () => {
      onClose()
      // Removes a decided case from the queue before the bank's next response.
      queries.setQueryData(
        queueQuery.queryKey,
        (queue) => queue && { ...queue, cases: queue.cases.filter(({ id }) => id !== reviewed.id) },
      )
      navigateAfterSheets(() => void navigate(paths.review, { replace: true }))
    },
  })
}

/** Explains the effect of a decision. Asks for a reason, which the customer will see, unless the decision is an approval. */
function Asking(props: AskingProps) {
  const { t } = useLingui()
  const { reviewed, decision, onClose } = props
  const form = useDecision(props)
  const words = DECISION_TEXTS[decision]
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
              .map((code) => kycReasonText({ code }))
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
