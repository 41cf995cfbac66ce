//! A thousand random values, one a line: protobuf by prost, then the same by each crate, all as hex.
//! The structs are `random.All` and `random.Inner` of src/engine/native/rust-vectors.test.ts.
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, prost::Message, serde::Serialize, borsh::BorshSerialize)]
struct Inner {
    #[prost(sint32, tag = "1")]
    small: i32,
    #[prost(string, tag = "2")]
    text: String,
    #[prost(uint64, repeated, tag = "3")]
    numbers: Vec<u64>,
}

#[derive(Clone, PartialEq, prost::Message, serde::Serialize, borsh::BorshSerialize)]
struct All {
    #[prost(int32, tag = "1")]
    int32: i32,
    #[prost(int64, tag = "2")]
    int64: i64,
    #[prost(uint32, tag = "3")]
    uint32: u32,
    #[prost(uint64, tag = "4")]
    uint64: u64,
    #[prost(sint32, tag = "5")]
    sint32: i32,
    #[prost(sint64, tag = "6")]
    sint64: i64,
    #[prost(fixed32, tag = "7")]
    fixed32: u32,
    #[prost(fixed64, tag = "8")]
    fixed64: u64,
    #[prost(sfixed32, tag = "9")]
    sfixed32: i32,
    #[prost(sfixed64, tag = "10")]
    sfixed64: i64,
    #[prost(bool, tag = "11")]
    flag: bool,
    #[prost(float, tag = "12")]
    float: f32,
    #[prost(double, tag = "13")]
    double: f64,
    #[prost(string, tag = "14")]
    text: String,
    #[prost(bytes = "vec", tag = "15")]
    bytes: Vec<u8>,
    #[prost(int32, tag = "16")]
    kind: i32,
    #[prost(int64, optional, tag = "17")]
    maybe_int64: Option<i64>,
    #[prost(bool, optional, tag = "18")]
    maybe_flag: Option<bool>,
    #[prost(string, optional, tag = "19")]
    maybe_text: Option<String>,
    #[prost(double, optional, tag = "20")]
    maybe_double: Option<f64>,
    #[prost(message, optional, tag = "21")]
    inner: Option<Inner>,
    #[prost(int32, repeated, tag = "22")]
    numbers: Vec<i32>,
    #[prost(string, repeated, tag = "23")]
    texts: Vec<String>,
    #[prost(message, repeated, tag = "24")]
    inners: Vec<Inner>,
    #[prost(btree_map = "string, sint64", tag = "25")]
    map: BTreeMap<String, i64>,
}

/// xorshift64*: the same values whenever this is run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
    /// Of any width, the edges of each of bincode's and varint's widths often among them.
    fn u64(&mut self) -> u64 {
        let bits = self.below(65);
        let value = if bits == 0 { 0 } else { self.next() >> (64 - bits) };
        match self.below(6) {
            0 => [0, 1, 127, 128, 250, 251, 252, 255, 256, 65535, 65536, u32::MAX as u64, 1 << 32, u64::MAX]
                [self.below(14) as usize],
            _ => value,
        }
    }
    fn i64(&mut self) -> i64 {
        let value = self.u64();
        if self.below(2) == 0 { (value >> 1) as i64 } else { !((value >> 1) as i64) }
    }
    fn u32(&mut self) -> u32 {
        let shift = self.below(33);
        if shift == 32 { 0 } else { (self.next() as u32) >> shift }
    }
    fn i32(&mut self) -> i32 {
        let value = (self.u32() >> 1) as i32;
        if self.below(2) == 0 { value } else { !value }
    }
    fn text(&mut self) -> String {
        let length = if self.below(40) == 0 { 260 } else { self.below(7) };
        (0..length).map(|_| ['a', 'z', ' ', '\0', 'é', '語', '😀'][self.below(7) as usize]).collect()
    }
    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(7)).map(|_| self.next() as u8).collect()
    }
    /// Any bits but NaN, which Borsh refuses to write.
    fn f64(&mut self) -> f64 {
        let value = f64::from_bits(self.next());
        if value.is_nan() { -0.0 } else { value }
    }
    fn f32(&mut self) -> f32 {
        let value = f32::from_bits(self.next() as u32);
        if value.is_nan() { f32::INFINITY } else { value }
    }
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.below(2) == 0 { None } else { Some(make(self)) }
    }
    fn list<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| make(self)).collect()
    }
    fn inner(&mut self) -> Inner {
        Inner { small: self.i32(), text: self.text(), numbers: self.list(Self::u64) }
    }
    fn all(&mut self) -> All {
        All {
            int32: self.i32(),
            int64: self.i64(),
            uint32: self.u32(),
            uint64: self.u64(),
            sint32: self.i32(),
            sint64: self.i64(),
            fixed32: self.u32(),
            fixed64: self.u64(),
            sfixed32: self.i32(),
            sfixed64: self.i64(),
            flag: self.below(2) == 1,
            float: self.f32(),
            double: self.f64(),
            text: self.text(),
            bytes: self.bytes(),
            kind: self.below(3) as i32,
            maybe_int64: self.maybe(Self::i64),
            maybe_flag: self.maybe(|random| random.below(2) == 1),
            maybe_text: self.maybe(Self::text),
            maybe_double: self.maybe(Self::f64),
            inner: self.maybe(Self::inner),
            numbers: self.list(Self::i32),
            texts: self.list(Self::text),
            inners: self.list(Self::inner),
            map: self.list(|random| (random.text(), random.i64())).into_iter().collect(),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    let mut random = Random(0x5eed);
    println!("protobuf bincode-fixed bincode-variable borsh postcard");
    for _ in 0..1000 {
        let value = random.all();
        let columns = [
            prost::Message::encode_to_vec(&value),
            bincode1::serialize(&value).unwrap(),
            bincode2::serde::encode_to_vec(&value, bincode2::config::standard()).unwrap(),
            borsh::to_vec(&value).unwrap(),
            postcard::to_allocvec(&value).unwrap(),
        ];
        println!("{}", columns.map(|column| hex(&column)).join(" "));
    }
}
