import { Trans, useLingui } from '@lingui/react/macro'
import { BellRing, Copy, Share2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { MoneyRequest } from '#contract/requests.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { outstandingMinor } from '#web/lib/money-requests.ts'
import { copyText, shareText } from '#web/lib/share.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { PayForm } from '#web/requests/pay-form.tsx'
import { blockRequester, cancelRequest, declineRequest, payRequest, remindPayer } from '#web/requests/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

type ActionsProps = { request: MoneyRequest; onClose: () => void }

/** Shows the actions for an open request. The actions that end or hide the request need a confirmation. */
export function RequestActions({ request, onClose }: ActionsProps) {
  const [pendingEnding, setAsking] = useState<Ending | null>(null)
  if (pendingEnding)
    return <AskAgain ending={pendingEnding} request={request} onBack={() => setAsking(null)} onClose={onClose} />
  return request.side === 'payer' ? (
    <PayerActions request={request} onAsk={setAsking} />
  ) : (
    <RequesterActions request={request} onAsk={setAsking} />
  )
}

/** An action that ends a request for both sides, or hides it from the payer. */
type Ending = 'decline' | 'cancel' | 'block'
type SideProps = { request: MoneyRequest; onAsk: (ending: Ending) => void }

function PayerActions({ request, onAsk }: SideProps) {
  const { id, name, asset } = request
  const leftMinor = outstandingMinor(request)
  return (
    <div className="flex flex-col gap-2">
      <PayForm
        // The key resets the form when a payment changes the amount that is left to pay.
        key={leftMinor}
        name={name ?? ''}
        leftMinor={leftMinor}
        asset={asset}
        send={(payment, key) => payRequest(id, payment, key)}
        beside={
          <Button variant="secondary" className="flex-1 !px-3" onClick={() => onAsk('decline')}>
            <Trans context="money request">Decline</Trans>
          </Button>
        }
      />
      <Button variant="quiet" size="small" className="self-center !text-ink-soft" onClick={() => onAsk('block')}>
        <Trans comment="The person who requested money">Block or Report</Trans>
      </Button>
    </div>
  )
}

function RequesterActions({ request, onAsk }: SideProps) {
  const { url } = request
  return (
    <div className="flex flex-col gap-2.5">
      {url ? <ShareLink request={request} url={url} /> : <Remind request={request} />}
      <Button variant="quiet" className="!text-danger hover:!bg-danger-subtle" onClick={() => onAsk('cancel')}>
        <Trans comment="A request for money">Cancel Request</Trans>
      </Button>
    </div>
  )
}

function ShareLink({ request, url }: { request: MoneyRequest; url: string }) {
  const { t } = useLingui()
  const amount = money(outstandingMinor(request), request.asset)
  return (
    <>
      <p className="text-sm text-pretty text-ink-soft">
        <Trans>Anyone with this link can pay you, all at once or in parts.</Trans>
      </p>
      <QrCode text={url} label={t`QR code for the link`} className="mx-auto my-1 size-44 rounded-card" />
      <p dir="ltr" className="truncate rounded-control bg-muted px-3.5 py-3 text-sm select-all">
        {url}
      </p>
      <div className="flex flex-wrap gap-2.5">
        <Button
          className="flex-1 !px-3"
          icon={<Copy aria-hidden className="size-5" strokeWidth={2} />}
          onClick={() => void copyText(url, t`Link copied`)}
        >
          <Trans>Copy Link</Trans>
        </Button>
        <Button
          variant="secondary"
          className="flex-1 !px-3"
          icon={<Share2 aria-hidden className="size-5" strokeWidth={2} />}
          onClick={() =>
            void shareText({ title: t`Money request`, text: t`Please send me ${amount} with Alder.`, url })
          }
        >
          <Trans>Share Link</Trans>
        </Button>
      </div>
    </>
  )
}

function Remind({ request }: { request: MoneyRequest }) {
  const { t } = useLingui()
  const { id, remindableAt } = request
  const name = request.name ?? ''
  const now = useBusinessNow()
  const { submit, busy } = useSubmission({
    send: (requestId: string, key) => remindPayer(requestId, key),
    loading: () => t`Sending a reminder…`,
    success: () => ({ message: t`You reminded ${name}` }),
  })
  const tooEarly = remindableAt !== null && now !== null && now < new Date(remindableAt)
  const again = remindableAt && dateAndTime(remindableAt)
  return (
    <>
      <Button
        icon={<BellRing aria-hidden className="size-5" strokeWidth={2} />}
        busy={busy}
        disabled={tooEarly}
        onClick={() => void submit(id)}
      >
        <Trans comment="Sends a reminder to a person who received a money request">Send a Reminder</Trans>
      </Button>
      {tooEarly && (
        <p className="text-center text-sm text-pretty text-ink-soft">
          <Trans comment="{again} is a date with a time">You can send another reminder from {again}.</Trans>
        </p>
      )}
    </>
  )
}

type AskAgainProps = { ending: Ending; request: MoneyRequest; onBack: () => void; onClose: () => void }

/** `report` is true if a block also reports the requester. */
type SentAction = { id: string; ending: Ending; report: boolean }

function useEnding({ ending, request, onClose }: AskAgainProps) {
  const { t } = useLingui()
  const name = request.name ?? ''
  const texts = {
    decline: { loading: t`Declining…`, success: t`You declined the request` },
    cancel: { loading: t`Canceling…`, success: t`You canceled the request` },
    block: { loading: t`Blocking…`, success: t`You blocked ${name}` },
  }[ending]
  const { submit, busy } = useSubmission({
    send: ({ id, report }: SentAction, key): Promise<unknown> => {
      if (ending === 'decline') return declineRequest(id, key)
      return ending === 'cancel' ? cancelRequest(id, key) : blockRequester(id, { report }, key)
    },
    loading: () => texts.loading,
    success: (_answer, { report }) => ({
      message: report ? t`Thank you. You reported and blocked ${name}` : texts.success,
    }),
  })
  const confirm = async ({ report }: { report: boolean }) => {
    if (await submit({ id: request.id, ending, report })) onClose()
  }
  return { confirm, busy }
}

function AskAgain(props: AskAgainProps) {
  const { t } = useLingui()
  const { ending, request, onBack } = props
  const { confirm, busy } = useEnding(props)
  const name = request.name ?? ''
  const back = useRef<HTMLButtonElement>(null)
  // The pressed button has disappeared, so the focus moves to the button that goes back.
  useEffect(() => back.current?.focus(), [])
  const texts = {
    decline: {
      what: t`You won't pay anything, and we'll let ${name} know that you declined.`,
      yes: t`Decline Request`,
    },
    cancel: {
      what: t`No one will be able to pay it anymore. You keep any money already paid.`,
      yes: t`Cancel Request`,
    },
    block: {
      what: t`You won't see requests from ${name} anymore. We won't tell them, and you can unblock them at any time. If you report this request, we'll look into it.`,
      yes: t({ message: 'Block', comment: 'The person who requested money' }),
    },
  }[ending]
  return (
    <div className="flex flex-col gap-3 rounded-card bg-muted p-4">
      <p className="text-pretty">{texts.what}</p>
      <div className="flex flex-wrap gap-2.5">
        <Button variant="secondary" className="flex-1 !bg-surface !px-3" disabled={busy} onClick={onBack} ref={back}>
          <Trans comment="Goes back without a change">Go Back</Trans>
        </Button>
        <Button variant="danger" className="flex-1 !px-3" busy={busy} onClick={() => void confirm({ report: false })}>
          {texts.yes}
        </Button>
      </div>
      {ending === 'block' && (
        <Button
          variant="quiet"
          disabled={busy}
          className="!text-danger hover:!bg-danger-subtle"
          onClick={() => void confirm({ report: true })}
        >
          <Trans comment="The request, and the person who requested money">Report and Block</Trans>
        </Button>
      )}
    </div>
  )
}
