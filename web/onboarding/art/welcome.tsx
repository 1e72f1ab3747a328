import { Cone, Ground, Leaf, Mark, Motion, Picture } from '#web/onboarding/art/parts.tsx'

/** A phone that grows like an alder, before a slice of copper wood. */
export function Welcome() {
  return (
    <Picture>
      <Motion kind="far">
        <Wood />
      </Motion>
      <Ground y={292} />
      <Branches />
      <Phone />
      <Motion kind="near">
        <Ground y={322} near />
        <Shoots />
      </Motion>
    </Picture>
  )
}

/** Alder wood turns copper where it is cut. */
function Wood() {
  return (
    <g transform="translate(214 112)">
      <path
        d="M92 2C91 36 66 78 26 88C-14 98-66 82-84 44C-102 6-90-50-56-74C-22-98 30-94 60-66C80-48 93-24 92 2Z"
        className="fill-(--poster-orange-mid)"
      />
      <path
        d="M84 2C83 32 60 70 24 79C-13 88-59 74-76 40C-92 6-81-46-50-67C-20-88 27-85 55-60C73-44 85-22 84 2Z"
        className="fill-(--poster-orange)"
      />
      <g className="stroke-brand-ink opacity-25">
        <path
          d="M66 4C65 28 46 58 17 65C-13 72-49 60-62 32C-75 4-65-36-40-53C-15-70 22-67 44-47C58-34 67-15 66 4Z"
          strokeWidth={2}
        />
        <path
          d="M45 8C45 26 32 46 11 52C-11 57-37 48-46 28C-55 8-48-20-30-32C-13-44 14-42 29-28C39-19 46-6 45 8Z"
          strokeWidth={3}
        />
        <path
          d="M25 11C25 22 17 34 5 37C-8 40-23 34-28 22C-33 11-29-6-19-13C-9-20 6-19 15-11C21-5 26 3 25 11Z"
          strokeWidth={2}
        />
      </g>
      <path d="M2 5L61-67L77-50Z" className="fill-brand" />
      <circle cx={-4} cy={12} r={7} className="fill-brand-ink opacity-55" />
    </g>
  )
}

function Branches() {
  return (
    <>
      <path
        d="M138 300C96 262 62 214 52 120M78 216C60 200 44 192 22 190M214 300C246 276 272 250 288 204M262 256C280 256 292 252 306 244"
        strokeWidth={5}
        strokeLinecap="round"
        className="stroke-(--poster-orange-mid)"
      />
      <Motion kind="pop" turn={0}>
        <Leaf x={52} y={122} turn={-4} size={1.05} />
      </Motion>
      <Motion kind="pop" turn={1}>
        <Leaf x={56} y={152} turn={52} size={0.82} tone="deep" />
        <Leaf x={57} y={160} turn={-58} size={0.86} tone="deep" />
      </Motion>
      <Motion kind="pop" turn={2}>
        <Leaf x={24} y={190} turn={-72} size={0.78} />
        <Leaf x={76} y={212} turn={38} size={0.8} />
        <Cone x={48} y={204} size={0.9} turn={8} />
        <Cone x={66} y={214} size={0.8} turn={-6} />
      </Motion>
      <Motion kind="pop" turn={3}>
        <Leaf x={287} y={208} turn={12} size={0.9} />
        <Leaf x={276} y={234} turn={-50} size={0.68} tone="deep" />
        <Leaf x={304} y={245} turn={70} size={0.66} tone="deep" />
        <Cone x={284} y={264} size={0.8} turn={-8} />
      </Motion>
    </>
  )
}

function Phone() {
  return (
    <g transform="rotate(-5 166 210)">
      <rect x={105} y={70} width={128} height={330} rx={27} className="fill-(--poster-shade)" />
      <rect
        x={103}
        y={62}
        width={126}
        height={330}
        rx={27}
        strokeWidth={2}
        className="fill-brand-ink stroke-on-brand-soft"
      />
      <rect x={110} y={69} width={112} height={316} rx={20} className="fill-on-brand" />
      <rect x={150} y={76} width={32} height={7} rx={3.5} className="fill-brand-ink" />
      <Mark x={166} y={134} size={1.12} className="stroke-brand" />
      <Entry y={196} className="fill-(--poster-primary)" />
      <Entry y={228} className="fill-(--poster-orange)" />
      <Entry y={260} className="fill-(--poster-primary-mid)" />
      <Entry y={292} className="fill-(--poster-orange-mid)" />
    </g>
  )
}

/** One line of an account. */
function Entry({ y, className }: { y: number; className: string }) {
  return (
    <>
      <circle cx={132} cy={y} r={9.5} className={className} />
      <g strokeWidth={5} strokeLinecap="round" className="stroke-brand">
        <path d={`M151 ${y - 4}h24M192 ${y}h16`} opacity={0.75} />
        <path d={`M151 ${y + 6}h14`} opacity={0.25} />
      </g>
    </>
  )
}

/** Young leaves in the foreground. */
function Shoots() {
  return (
    <>
      <Leaf x={64} y={336} turn={-24} size={0.7} tone="deep" />
      <Leaf x={70} y={338} turn={22} size={0.86} />
      <Leaf x={262} y={338} turn={-14} size={0.62} />
      <Leaf x={266} y={340} turn={34} size={0.5} tone="deep" />
    </>
  )
}
