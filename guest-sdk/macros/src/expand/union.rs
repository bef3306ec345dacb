//! The derive for unions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::fits;
use crate::model::Union;

pub(crate) fn union(union: &Union) -> TokenStream {
    let ident = &union.ident;
    let (variants, types): (Vec<_>, Vec<_>) = union.variants.iter().map(|(ident, ty)| (ident, ty)).unzip();
    let specs = types.iter().map(|ty| quote_spanned!(ty.span()=> ::bulkhead_sdk::value::type_spec::<#ty>(types)));
    let secret = types.iter().map(|ty| quote_spanned!(ty.span()=> <#ty as ::bulkhead_sdk::value::Property>::SECRET));
    let spec = match &union.discriminator {
        None => quote!(::bulkhead_sdk::schema::TypeSpec::one_of(specs)),
        Some(property) => quote!(::bulkhead_sdk::schema::TypeSpec::discriminated(specs, #property)),
    };
    // With a discriminator the variant that it names says what is wrong; else none of them is meant more than another.
    let meant = match &union.discriminator {
        None => quote!(::core::option::Option::<::bulkhead_sdk::value::Misfit>::None),
        Some(property) => quote!(::bulkhead_sdk::value::Misfit::meant(misfits, #property)),
    };
    let (itself, variants_fit) = (fits::itself(ident), fits::variants(union));
    quote! {
        impl ::bulkhead_sdk::Union for #ident {}

        #itself
        #variants_fit

        impl ::bulkhead_sdk::value::Property for #ident {
            type Plain = Self;
            const SECRET: bool = #(#secret)||*;

            fn type_spec(types: &mut ::bulkhead_sdk::schema::Types) -> ::bulkhead_sdk::schema::TypeSpec {
                let specs = ::std::vec![#(#specs),*];
                #spec
            }

            fn from_value(
                value: ::bulkhead_sdk::Value,
            ) -> ::core::result::Result<Self, ::bulkhead_sdk::value::Misfit> {
                let mut misfits = ::std::vec::Vec::new();
                #(
                    match ::bulkhead_sdk::value::Property::from_value(::core::clone::Clone::clone(&value)) {
                        ::core::result::Result::Ok(held) => return ::core::result::Result::Ok(Self::#variants(held)),
                        ::core::result::Result::Err(misfit) => misfits.push(misfit),
                    }
                )*
                let _: &::std::vec::Vec<::bulkhead_sdk::value::Misfit> = &misfits;
                ::core::result::Result::Err(
                    #meant.unwrap_or_else(|| ::bulkhead_sdk::value::Misfit::no_member(&value)),
                )
            }

            fn to_value(&self) -> ::core::result::Result<::bulkhead_sdk::Value, ::bulkhead_sdk::value::Misfit> {
                match self {
                    #(Self::#variants(held) => ::bulkhead_sdk::value::Property::to_value(held),)*
                }
            }
        }
    }
}
