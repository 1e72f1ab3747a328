import { useLingui } from '@lingui/react/macro'
import { Brand } from '#web/ui/brand.tsx'

/** Stands for the moment in which the first screen's code is on its way. */
export function Splash() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Opening Alder`} className="grid min-h-dvh animate-shimmer place-items-center">
      <Brand />
    </div>
  )
}
