import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import { currentHeading } from '#web/app/shell/focus.ts'
import { paths } from '#web/lib/paths.ts'
import { Brand } from '#web/ui/brand.tsx'
import { cx } from '#web/ui/cx.ts'
import { Rings } from '#web/ui/rings.tsx'

/** The bank's name, which is the same in every language. */
const BANK = 'Alder'

/**
 * The background of a wide screen: the bank's name at the top, and faint growth rings. A rail hides the rings at the bottom. A
 * second pane hides the rings at the top.
 */
export function Backdrop({ isPublic, hasRail }: { isPublic: boolean; hasRail: boolean }) {
  const { t } = useLingui()
  return (
    <>
      {hasRail && <SkipLink />}
      <div aria-hidden className="fixed inset-0 -z-10 overflow-hidden text-primary">
        {!hasRail && <Rings className="absolute -start-72 -bottom-72 size-[38rem] opacity-[0.14]" />}
        <Rings className="absolute -end-64 -top-64 size-[36rem] -scale-x-100 opacity-[0.1] [body:has([data-panes])_&]:hidden" />
      </div>
      <nav aria-label="Alder" className={cx('fixed z-10', hasRail ? 'start-5.5 top-5' : 'start-8 top-7')}>
        <Link
          to={isPublic ? paths.home : paths.dashboard}
          aria-label={isPublic ? t`${BANK} home page` : t`${BANK} Home`}
          className="block rounded-control p-1.5"
        >
          <Brand />
        </Link>
      </nav>
    </>
  )
}

/** A link past the rail for keyboard users. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => currentHeading()?.focus()}
      className="fixed start-4 top-4 z-40 min-h-11 -translate-y-24 rounded-full bg-primary px-5 font-semibold text-on-primary focus-visible:translate-y-0"
    >
      <Trans>Skip to Content</Trans>
    </button>
  )
}
