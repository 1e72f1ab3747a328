import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { DETAILS_SHOWN_SECONDS } from '#contract/card-terms.ts'
import type { Card, CardDetails } from '#contract/cards.ts'
import { CardArt, expiryText, groupsOf } from '#web/cards/card-art.tsx'
import { inTime } from '#web/i18n/in-time.ts'
import { CopyIconButton } from '#web/ui/copy-button.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const TICK_MS = 1000

type DetailsProps = {
  card: Card
  /** Null once they are to be gone. */
  details: CardDetails | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Counts the seconds that are left of a minute from now on; `onOver` is called when it is over, however long the page slept. */
function useSecondsLeft(running: boolean, onOver: () => void): number {
  const [left, setLeft] = useState(DETAILS_SHOWN_SECONDS)
  const over = useEffectEvent(onOver)
  useEffect(() => {
    if (!running) return undefined
    const endsMs = Date.now() + DETAILS_SHOWN_SECONDS * 1000
    const look = () => {
      const seconds = Math.max(0, Math.ceil((endsMs - Date.now()) / 1000))
      setLeft(seconds)
      if (seconds === 0) over()
    }
    look()
    const timer = setInterval(look, TICK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [running])
  return left
}

/** A card's number, expiry and CVV, for a minute. */
export function DetailsSheet({ card, details, open, onOpenChange }: DetailsProps) {
  const { t } = useLingui()
  const left = useSecondsLeft(details !== null, () => onOpenChange(false))
  const when = inTime(left)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Card details`}
      description={t`Number, expiry date and CVV. They're hidden again after a minute.`}
    >
      <CardArt card={card} {...(details && { number: details.number, cvv: details.cvv })} />
      {details && (
        <>
          <Surface className="mt-4 divide-y divide-line">
            <Copied
              label={t`Card Number`}
              shown={groupsOf(details.number)}
              text={details.number}
              copy={t`Copy Card Number`}
              message={t`Card number copied`}
            />
            <Copied
              label={t`Expiry Date`}
              shown={expiryText(details.expiresOn)}
              text={expiryText(details.expiresOn)}
              copy={t`Copy Expiry Date`}
              message={t`Expiry date copied`}
            />
            <Copied label="CVV" shown={details.cvv} text={details.cvv} copy={t`Copy CVV`} message={t`CVV copied`} />
          </Surface>
          <div className="mt-4 space-y-2">
            <Progress label={t`Time left`} percent={(left / DETAILS_SHOWN_SECONDS) * 100} />
            <p className="tabular text-center text-sm text-ink-soft">
              {t({ message: `Hidden again ${when}`, comment: 'A card number: in 52 seconds' })}
            </p>
          </div>
        </>
      )}
    </Sheet>
  )
}

type CopiedProps = { label: string; shown: string; text: string; copy: string; message: string }

function Copied({ label, shown, text, copy, message }: CopiedProps) {
  return (
    <div className="flex min-h-16 items-center justify-between gap-3 py-1.5 ps-4 pe-2">
      <span className="min-w-0">
        <span className="block text-sm text-ink-soft">{label}</span>
        <bdi dir="ltr" className="tabular block font-medium [overflow-wrap:anywhere]">
          {shown}
        </bdi>
      </span>
      <CopyIconButton text={text} label={copy} message={message} />
    </div>
  )
}
