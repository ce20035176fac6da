/** Makes something of an object once, and keeps it for as long as the object is there. */
export function perObject<Given extends object, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const known = new WeakMap<Given, { made: Made }>();
  return (given) => {
    const kept = known.get(given) ?? { made: make(given) };
    known.set(given, kept);
    return kept.made;
  };
}
