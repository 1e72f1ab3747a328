import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useDeferredValue } from 'react'
import { useEstimator } from '#web/identity/password/estimator.ts'
import type { Strength } from '#web/identity/password/strength.ts'
import { cx } from '#web/ui/cx.ts'

const LOOKS: Record<Strength, { label: MessageDescriptor; parts: number; bar: string; text: string }> = {
  weak: {
    label: msg({ message: 'Weak', context: 'strength of a password' }),
    parts: 1,
    bar: 'bg-danger',
    text: 'text-danger',
  },
  fair: {
    label: msg({ message: 'Fair', context: 'strength of a password' }),
    parts: 2,
    bar: 'bg-warning',
    text: 'text-warning',
  },
  good: {
    label: msg({ message: 'Good', context: 'strength of a password' }),
    parts: 3,
    bar: 'bg-primary',
    text: 'text-primary',
  },
  strong: {
    label: msg({ message: 'Strong', context: 'strength of a password' }),
    parts: 4,
    bar: 'bg-primary',
    text: 'text-primary',
  },
}

/** Shows a password's strength as a word and a bar. `ownerTexts` contains texts about the owner that a guesser could try. */
export function PasswordStrengthMeter({ password, ownerTexts }: { password: string; ownerTexts: readonly string[] }) {
  const { t } = useLingui()
  const estimator = useEstimator()
  const typed = useDeferredValue(password)
  const level = estimator && typed !== '' ? estimator.strengthOf(typed, ownerTexts) : null
  const levelLook = level && LOOKS[level]
  const strength = levelLook && t(levelLook.label)
  return (
    <div className="flex min-h-5 items-center gap-3 px-1">
      <div aria-hidden className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map((part) => (
          <span
            key={part}
            className={cx(
              'h-1 flex-1 rounded-full transition-colors duration-300',
              levelLook && part <= levelLook.parts ? levelLook.bar : 'bg-line',
            )}
          />
        ))}
      </div>
      <p role="status" className={cx('text-sm font-medium', levelLook?.text)}>
        {levelLook && (
          <Trans comment="Only a screen reader reads the part before the strength">
            <span className="sr-only">Password strength: </span>
            {strength}
          </Trans>
        )}
      </p>
    </div>
  )
}
