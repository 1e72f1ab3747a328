import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Nfc, Snowflake } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CardKind } from '#contract/card-terms.ts'
import type { Card } from '#contract/cards.ts'
import { CardDrawing } from '#web/cards/card-drawing.tsx'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const KINDS: Record<CardKind, MessageDescriptor> = {
  main: msg({ message: 'Debit', context: 'kind of card' }),
  multi_use: msg({ message: 'Virtual', context: 'kind of card' }),
  single_use: msg({ message: 'Single-Use', context: 'kind of card' }),
}

/** Returns the expiry date as printed on a card: MM/YY. */
export const cardExpiryText = (expiresOn: string): string => `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}`

/** Returns a card number in groups of four digits. */
export const groupInFours = (number: string): string => number.replaceAll(/(.{4})(?=.)/g, '$1 ')

type CardArtProps = {
  card: Pick<Card, 'kind' | 'status' | 'name' | 'look' | 'holderName' | 'lastFour' | 'expiresOn' | 'used'>
  /** The full card number, if it is revealed. */
  number?: string
  cvv?: string
}

/** The format of a bank card (ISO/IEC 7810 ID-1). Large text can make it taller. */
const SHAPE = 'relative isolate flex aspect-[1.586] flex-col justify-between gap-4 rounded-[1.25rem] p-5'

/** Shows a card. */
export function CardArt({ card, number, cvv }: CardArtProps) {
  const { t } = useLingui()
  const { kind, status, name, look, holderName, lastFour, expiresOn, used } = card
  const isFrozen = status === 'frozen'
  return (
    <div
      className={cx(
        'card-art on-brand text-on-brand shadow-card',
        isFrozen ? 'card-frozen' : look && `card-${look.colour}`,
        SHAPE,
      )}
    >
      <span aria-hidden className="absolute inset-0 -z-10 overflow-hidden rounded-[inherit]">
        <CardDrawing look={look} />
        {isFrozen && <span className="card-frost absolute inset-0 rounded-[inherit]" />}
      </span>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="text-lg font-semibold tracking-tight">Alder</span>
        {isFrozen || used ? (
          <span className="inline-flex items-center gap-1.5 rounded-full bg-on-brand px-2.5 py-1 text-sm font-semibold text-brand-ink">
            {isFrozen && <Snowflake aria-hidden className="size-4" strokeWidth={2.2} />}
            {isFrozen ? <Trans context="of a card">Frozen</Trans> : <Trans context="of a single-use card">Used</Trans>}
          </span>
        ) : (
          <span className="card-art-soft text-sm font-medium">{t(KINDS[kind])}</span>
        )}
      </div>
      <div className="flex flex-col gap-2.5">
        {kind !== 'main' && (
          <p className="line-clamp-2 text-[1.0625rem] leading-snug font-semibold tracking-tight [overflow-wrap:anywhere] rtl:text-right">
            <bdi>{name}</bdi>
          </p>
        )}
        {kind === 'main' && (
          <span aria-hidden className="flex items-center gap-2.5">
            <Chip />
            <Nfc className="card-art-soft size-5" strokeWidth={2} />
          </span>
        )}
        <Number number={number} lastFour={lastFour} />
      </div>
      <dl className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Printed className="me-auto" label={t({ message: 'Cardholder', comment: 'The name on a card' })}>
          <bdi className="line-clamp-2 [overflow-wrap:anywhere] rtl:text-right">{holderName}</bdi>
        </Printed>
        <Printed label={t({ message: 'Expires', comment: 'The month and year in which a card expires' })}>
          <bdi dir="ltr" className="tabular">
            {cardExpiryText(expiresOn)}
          </bdi>
        </Printed>
        {cvv && (
          <Printed label="CVV">
            <bdi dir="ltr" className="tabular">
              {cvv}
            </bdi>
          </Printed>
        )}
      </dl>
    </div>
  )
}

function Number({ number, lastFour }: { number: string | undefined; lastFour: string }) {
  const { t } = useLingui()
  const groups = groupInFours(number ?? `••••••••••••${lastFour}`)
  return (
    <p dir="ltr" className="card-number rtl:text-right">
      <span className="tabular block leading-snug font-medium">
        <span aria-hidden={!number || undefined}>{groups}</span>
        {!number && <span className="sr-only">{t`Card ending in ${lastFour}`}</span>}
      </span>
    </p>
  )
}

function Printed({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={cx('min-w-0', className)}>
      <dt className="card-art-soft text-xs">{label}</dt>
      <dd className="leading-snug font-medium">{children}</dd>
    </div>
  )
}

function Chip() {
  return (
    <svg viewBox="0 0 40 30" className="h-7.5 w-10">
      <rect width="40" height="30" rx="6" fill="#dcb978" />
      <path
        d="M0 10h13M0 20h13M27 10h13M27 20h13M13 0v30M27 0v30M13 15h14"
        fill="none"
        stroke="#7d5f2a"
        strokeWidth="1.3"
      />
    </svg>
  )
}

/** A placeholder for a card that is loading. */
export function CardArtSkeleton() {
  return <Skeleton className={cx(SHAPE, '!rounded-[1.25rem]')} />
}
