import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { DETAILS_SHOWN_SECONDS } from '#contract/card-terms.ts'
import type { Card, CardDetails } from '#contract/cards.ts'
import { CardArt, cardExpiryText, groupInFours } from '#web/cards/card-art.tsx'
import { waitText } from '#web/i18n/wait-time.ts'
import { CopyIconButton } from '#web/ui/copy-button.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const TICK_MS = 1000

type DetailsProps = {
  card: Card
  /** Null once the details must disappear. */
  details: CardDetails | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Counts down one minute in seconds. Calls `onOver` at its end, even if the page slept meanwhile. */
function useSecondsLeft(isRunning: boolean, onOver: () => void): number {
  const [secondsLeft, setLeft] = useState(DETAILS_SHOWN_SECONDS)
  const reportOver = useEffectEvent(onOver)
  useEffect(() => {
    if (!isRunning) return undefined
    const endsMs = Date.now() + DETAILS_SHOWN_SECONDS * 1000
    const update = () => {
      const seconds = Math.max(0, Math.ceil((endsMs - Date.now()) / 1000))
      setLeft(seconds)
      if (seconds === 0) reportOver()
    }
    update()
    const timer = setInterval(update, TICK_MS)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [isRunning])
  return secondsLeft
}

/** Shows a card's number, expiry date and CVV for one minute. */
export function DetailsSheet({ card, details, open, onOpenChange }: DetailsProps) {
  const { t } = useLingui()
  const secondsLeft = useSecondsLeft(details !== null, () => onOpenChange(false))
  const when = waitText(secondsLeft)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Card details`}
      description={t`Number, expiration date and CVV. They're hidden again after a minute.`}
    >
      <CardArt card={card} {...(details && { number: details.number, cvv: details.cvv })} />
      {details && (
        <>
          <Surface className="mt-4 divide-y divide-line">
            <Copied
              label={t`Card Number`}
              shown={groupInFours(details.number)}
              text={details.number}
              copy={t`Copy Card Number`}
              message={t`Card number copied`}
            />
            <Copied
              label={t`Expiration Date`}
              shown={cardExpiryText(details.expiresOn)}
              text={cardExpiryText(details.expiresOn)}
              copy={t`Copy Expiration Date`}
              message={t`Expiration date copied`}
            />
            <Copied label="CVV" shown={details.cvv} text={details.cvv} copy={t`Copy CVV`} message={t`CVV copied`} />
          </Surface>
          <div className="mt-4 space-y-2">
            <Progress label={t`Time left`} percent={(secondsLeft / DETAILS_SHOWN_SECONDS) * 100} />
            <p className="tabular text-center text-sm text-ink-soft">
              {t({
                message: `Hides again ${when}`,
                comment: 'A card number is hidden again after a while. {when}: in 52 seconds',
              })}
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
