import { useLingui } from '@lingui/react/macro'
import { Keyboard } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { MOD_KEY } from '#web/app/shell/mod-key.ts'
import { SINGLE_KEYS } from '#web/app/shell/shortcuts.ts'
import { useStoredSwitch } from '#web/lib/stored-switch.ts'
import { Card } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

type KeysSheetProps = { open: boolean; onClose: () => void }

/** The sheet with the keyboard shortcuts. */
export function ShortcutsSheet({ open, onClose }: KeysSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t`Keyboard shortcuts`}
      description={t`Everything you can do with the keyboard.`}
    >
      <div className="flex flex-col gap-5">
        <Everywhere />
        <SingleKeys />
        <Lists />
      </div>
    </Sheet>
  )
}

function Everywhere() {
  const { t } = useLingui()
  return (
    <Keys title={t({ message: 'Everywhere', comment: 'The place in which a keyboard shortcut works' })}>
      <Shortcut keys={[MOD_KEY, 'K']} does={t`Search screens, contacts and transactions`} />
      <Shortcut keys={['Alt', 'T']} does={t`Go to messages on the screen`} />
      <Shortcut keys={['F8']} does={t`Go to messages on the screen`} />
    </Keys>
  )
}

/** The switch for single-key shortcuts. Speech control and accidental key presses can trigger them. */
function SingleKeys() {
  const { t } = useLingui()
  const [isOn, setOn] = useStoredSwitch(SINGLE_KEYS, true)
  const thenWord = t({
    message: 'then',
    comment: 'The word between two keys pressed one after the other. Example: G then H',
  })
  return (
    <>
      <Keys
        title={t({ message: 'Outside Text Fields', comment: 'The place in which a keyboard shortcut works' })}
        isOff={!isOn}
      >
        <Shortcut keys={['G', 'H']} between={thenWord} does={t`Go to Home`} />
        <Shortcut keys={['G', 'T']} between={thenWord} does={t`Go to Transactions`} />
        <Shortcut keys={['G', 'C']} between={thenWord} does={t`Go to Cards`} />
        <Shortcut keys={['G', 'S']} between={thenWord} does={t`Go to Settings`} />
        <Shortcut keys={['S']} does={t`Send Money`} />
        <Shortcut keys={['/']} does={t({ message: 'Search', comment: 'The effect of a key' })} />
        <Shortcut keys={['?']} does={t`Show these shortcuts`} />
      </Keys>
      <Card>
        <SwitchRow
          icon={Keyboard}
          label={t`Single-Key Shortcuts`}
          description={t`Use single keys, without ${MOD_KEY}`}
          checked={isOn}
          onChange={setOn}
        />
      </Card>
    </>
  )
}

function Lists() {
  const { t } = useLingui()
  return (
    <Keys
      title={t({
        message: 'In a List with Details Beside It',
        comment: 'The place in which a keyboard shortcut works',
      })}
    >
      <Shortcut keys={['↑', '↓']} does={t`Open the next or previous row`} />
      <Shortcut keys={['Enter']} does={t`Go to the details`} />
      <Shortcut keys={['Esc']} does={t`Back to the list, then close the details`} />
    </Keys>
  )
}

function Keys({ title, isOff = false, children }: { title: string; isOff?: boolean; children: ReactNode }) {
  return (
    <section>
      <h3 className="px-1 pb-1.5 text-sm font-semibold text-ink-soft">{title}</h3>
      <Card>
        <dl className={isOff ? 'divide-y divide-line line-through' : 'divide-y divide-line'}>{children}</dl>
      </Card>
    </section>
  )
}

function Shortcut({ keys, between = '', does }: { keys: readonly string[]; between?: string; does: string }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 px-4 py-1.5">
      <dt className="text-[0.9375rem]">{does}</dt>
      <dd className="flex shrink-0 items-center gap-1.5 text-sm text-ink-soft">
        {keys.map((key, index) => (
          <Fragment key={key}>
            {index > 0 && between}
            <kbd
              dir="ltr"
              className="inline-grid min-h-7 min-w-7 place-items-center rounded-lg border border-line bg-muted px-1.5 font-sans font-medium text-ink"
            >
              {key}
            </kbd>
          </Fragment>
        ))}
      </dd>
    </div>
  )
}
