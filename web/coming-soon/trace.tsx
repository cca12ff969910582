/** A decorative price line along the foot of the page: flat, then rising. */
export function Trace() {
  return (
    <svg
      viewBox="0 0 1200 160"
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-0 -z-10 h-40 w-full text-accent"
    >
      <defs>
        <linearGradient id="trace-fill" x1="0" y1="0" x2="0" y2="1">
          <stop stopColor="currentColor" stopOpacity="0.16" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
      </defs>
      <polygon points={`0,160 ${line} 1200,160`} fill="url(#trace-fill)" />
      <polyline
        points={line}
        stroke="currentColor"
        strokeOpacity="0.75"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

const line =
  '0,138 60,136 110,139 160,132 205,135 250,128 300,131 350,122 390,127 440,118 480,121 530,108 565,114 610,104 650,111 ' +
  '690,96 730,103 770,84 800,93 840,72 870,80 905,58 930,67 965,44 990,55 1025,36 1055,49 1090,28 1120,38 1160,18 1200,24';
